import { useState } from 'preact/hooks';
import { type ChangeKind, groupChanges } from '../../views/changes.ts';
import { count } from '../../util/count.ts';
import type { ScreenProps } from '../screen.ts';
import { Into, Nothing, Screen } from './frame.tsx';
import { goFrom, type Go } from './go.ts';
import { momentText } from './times.ts';

const WORDS: Readonly<Record<ChangeKind, readonly [symbol: string, words: string]>> = {
  failed: ['✗', 'newly failed'],
  replaced: ['↻', 'requested again'],
  new: ['+', 'new'],
  finished: ['✓', 'newly finished'],
  decided: ['○', 'newly decided'],
};

const SHOWN = 12;

export function ChangesScreen({ data, navigate, state }: ScreenProps) {
  const go = goFrom(navigate);
  const decided = [...state.decisions.all.values()].flatMap(({ post, at }) =>
    at === undefined || !state.posts.has(post) ? [] : [{ address: post, at }],
  );
  const { runs } = data;
  const [chosen, choose] = useState<string>();
  const since = runs.find(({ run }) => run === chosen) ?? runs.find(({ lanes }) => lanes.length) ?? runs[0];
  if (!since)
    return (
      <Screen title="Changes">
        <Nothing>No run has changed this state yet.</Nothing>
      </Screen>
    );
  const all = [
    ...data.changes.toReversed(),
    ...decided.map((each) => ({ ...each, what: 'decided' as const })),
  ];
  const groups = groupChanges(all, since.startedAt);
  return (
    <Screen title="Changes" about="What became of posts since a run began, decisions included.">
      <label class="tools">
        Since{' '}
        <select value={since.run} onChange={(event) => choose(event.currentTarget.value)}>
          {runs.map(({ run, command, startedAt }, index) => (
            <option key={run} value={run}>
              {index ? '' : 'the last run: '}
              {momentText(startedAt)} · {command} · {run}
            </option>
          ))}
        </select>
      </label>
      {groups.length ? (
        groups.map(({ what, addresses }) => <Group key={what} what={what} addresses={addresses} go={go} />)
      ) : (
        <Nothing>Nothing has changed since then.</Nothing>
      )}
    </Screen>
  );
}

interface GroupProps {
  readonly what: ChangeKind;
  readonly addresses: readonly string[];
  readonly go: Go;
}

function Group({ what, addresses, go }: GroupProps) {
  const [symbol, words] = WORDS[what];
  const more = addresses.length - SHOWN;
  return (
    <article class="cause">
      <h3>
        <span aria-hidden="true">{symbol}</span> {addresses.length} {words}
      </h3>
      <p>
        <Into go={() => go.addresses(addresses, words)}>
          Show {count(addresses.length, 'post')} on the sheet
        </Into>
      </p>
      <ul class="nodes">
        {addresses.slice(0, SHOWN).map((address) => (
          <li key={address}>
            <Into go={() => go.post(address)}>{address}</Into>
          </li>
        ))}
        {more > 0 ? <li>and {more} more</li> : null}
      </ul>
    </article>
  );
}
