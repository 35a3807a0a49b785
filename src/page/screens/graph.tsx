import { useMemo, useState } from 'preact/hooks';
import type { GraphImage } from '../../views/report-screens.ts';
import type { ScreenProps } from '../screen.ts';
import { Nothing, Screen } from './frame.tsx';

const STEP = 1.25;

/** The SVG is shown as a picture, in which no script runs and which loads nothing. */
export function GraphScreen({ data: { graph } }: Pick<ScreenProps, 'data'>) {
  return (
    <Screen
      title="Graph"
      about="What is made of what, with what has become of it: the picture of campaign graph --status."
    >
      {graph ? (
        <Picture graph={graph} />
      ) : (
        <Nothing>
          The graph could not be drawn. <code>campaign graph --format mermaid</code> writes it as text.
        </Nothing>
      )}
    </Screen>
  );
}

function Picture({ graph }: { readonly graph: GraphImage }) {
  const { svg, width, height, boxes, together } = graph;
  const url = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`, [svg]);
  const [zoom, setZoom] = useState<number>();
  const scale = (by: number) => setZoom(Math.min(8, Math.max(0.1, (zoom ?? 1) * by)));
  return (
    <>
      <div class="tools" role="group" aria-label="Size of the picture">
        <button type="button" onClick={() => scale(1 / STEP)} aria-label="Smaller">
          −
        </button>
        <button type="button" onClick={() => scale(STEP)} aria-label="Larger">
          +
        </button>
        <button type="button" onClick={() => setZoom(1)}>
          100 %
        </button>
        <button type="button" onClick={() => setZoom(undefined)} aria-pressed={zoom === undefined}>
          Fit
        </button>
      </div>
      <div class="scroll tall paper" tabIndex={0} role="region" aria-label="Graph">
        <img
          src={url}
          alt={`${boxes.length} boxes, listed below`}
          {...(zoom === undefined ? { class: 'fit' } : { width: width * zoom, height: height * zoom })}
        />
      </div>
      {together.length ? <p class="about">Drawn together: {together.join(', ')}.</p> : null}
      <details>
        <summary>The boxes as a list</summary>
        <ul class="boxes">
          {boxes.map(({ title, lines }, index) => (
            <li key={index}>
              <strong>{title}</strong> {lines.join(', ')}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}
