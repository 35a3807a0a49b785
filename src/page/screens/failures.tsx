import type { FailureCause } from '../../views/failure-causes.ts';
import { count } from '../../util/count.ts';
import { Command } from './command.tsx';
import { Coded } from '../coded.tsx';
import type { ScreenProps } from '../screen.ts';
import { Into, Nothing, Screen } from './frame.tsx';
import { goFrom, type Go } from './go.ts';

const END_WORDS: Readonly<Record<FailureCause['end'], string>> = {
  failed: '✗ failed',
  lost: '✗ lost',
  rejected: '✗ refused',
  gone: '✗ gone',
  unknown: '? unknown',
  skipped: '– given up',
};

/** So many nodes of a cause are shown at once. */
const SHOWN = 12;

export function FailuresScreen({ data: { failures }, navigate }: Pick<ScreenProps, 'data' | 'navigate'>) {
  const go = goFrom(navigate);
  return (
    <Screen title="Failures" about="What failed or waits for a decision, by cause, the most frequent first.">
      {failures.length ? (
        failures.map((cause, index) => <Cause key={index} cause={cause} go={go} />)
      ) : (
        <Nothing>Nothing has failed, and nothing waits for a decision.</Nothing>
      )}
    </Screen>
  );
}

function Cause({ cause, go }: { readonly cause: FailureCause; readonly go: Go }) {
  const { end, summary, detail, advice, commands, nodes } = cause;
  const posts = nodes.flatMap(({ post }) => post ?? []);
  return (
    <article class="cause">
      <h3>
        <span class={`status ${end === 'unknown' ? 'unknown' : 'failed'}`}>{END_WORDS[end]}</span> {summary}
      </h3>
      {detail ? <p class="detail">{detail}</p> : null}
      {advice ? (
        <p>
          <Coded text={advice} />
        </p>
      ) : null}
      {commands.map((command) => (
        <Command key={command} text={command} />
      ))}
      {posts.length > 1 ? (
        <p>
          <Into go={() => go.addresses(posts, summary)}>Show {count(posts.length, 'post')} on the sheet</Into>
        </p>
      ) : null}
      <NodeList nodes={nodes.slice(0, SHOWN)} go={go} />
      {nodes.length > SHOWN ? (
        <details>
          <summary>and {nodes.length - SHOWN} more</summary>
          <NodeList nodes={nodes.slice(SHOWN)} go={go} />
        </details>
      ) : null}
    </article>
  );
}

function NodeList({ nodes, go }: { readonly nodes: FailureCause['nodes']; readonly go: Go }) {
  return (
    <ul class="nodes">
      {nodes.map(({ address, post, at, photos }) => (
        <li key={address}>
          {post === null ? <code>{address}</code> : <Into go={() => go.post(post)}>{address}</Into>}
          {at === null ? null : <span class="place"> {at}</span>}
          {photos.length ? <span class="place"> {photos.join(', ')}</span> : null}
        </li>
      ))}
    </ul>
  );
}
