import { Component, type ComponentChildren } from 'preact';

interface Titled {
  readonly title: string;
  /** What the screen is about, in a sentence. */
  readonly about?: ComponentChildren;
  readonly children: ComponentChildren;
}

export function Screen({ title, about, children }: Titled) {
  return (
    <section class="screen" aria-label={title}>
      <h2>{title}</h2>
      {about === undefined ? null : <p class="about">{about}</p>}
      <Guarded>{children}</Guarded>
    </section>
  );
}

/** A screen that has nothing to show says why, and what fills it. */
export function Nothing({ children }: { readonly children: ComponentChildren }) {
  return <p class="nothing">{children}</p>;
}

/** One screen that cannot be shown leaves the others as they are. */
class Guarded extends Component<{ readonly children: ComponentChildren }, { readonly problem?: string }> {
  static override getDerivedStateFromError(error: unknown) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }

  override render() {
    const { problem } = this.state;
    if (problem === undefined) return this.props.children;
    return (
      <p class="nothing" role="alert">
        This screen cannot be shown, because of a mistake in the page: {problem}. The other screens are not
        affected; <code>campaign status --all</code> tells the same in a terminal.
      </p>
    );
  }
}

interface IntoProps {
  readonly go: () => void;
  readonly children: ComponentChildren;
}

/** A link into the sheet. */
export function Into({ go, children }: IntoProps) {
  const follow = (event: Event) => {
    event.preventDefault();
    go();
  };
  return (
    <a href="#sheet" onClick={follow}>
      {children}
    </a>
  );
}
