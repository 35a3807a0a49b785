import { useMemo, useState } from 'preact/hooks';
import { idKey } from '../../util/id-key.ts';
import type { TakeDecision } from '../../views/report-data.ts';
import type { Decision } from '../decide.ts';
import { SmallPicture } from '../small-picture.tsx';
import { type DecisionRow, decisionRows } from '../../views/decision-rows.ts';
import type { ScreenProps } from '../screen.ts';
import { Into, Nothing, Screen } from './frame.tsx';
import { goFrom, type Go } from './go.ts';
import { momentText } from './times.ts';

/** As many rows are shown at once. */
const SHOWN = 200;

export function DecisionsScreen({ data, navigate, state, source }: ScreenProps) {
  const go = goFrom(navigate);
  const { all } = state.decisions;
  const rows = useMemo(
    () => decisionRows(data.posts, data.goneDecisions, ({ media }) => asRead(all.get(idKey(media)))),
    [data, all],
  );
  const [shown, show] = useState(SHOWN);
  return (
    <Screen
      title="Decisions"
      about={`What people have decided, the latest first. It is kept in ${data.decisionsFile}.`}
    >
      {rows.length ? (
        <div class="scroll" tabIndex={0} role="region" aria-label="Decisions">
          <table class="decisions">
            <thead>
              <tr>
                {['Picture', 'Post', 'Verdict', 'Note', 'By', 'When'].map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, shown).map((row) => (
                <Row key={row.media} row={row} go={go} data={data} source={source} />
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <Nothing>
          Nothing is decided yet. On the sheet, P approves the framed picture and X rejects it.
        </Nothing>
      )}
      {rows.length > shown ? (
        <button type="button" onClick={() => show(shown + SHOWN)}>
          Show more: {rows.length - shown} are left
        </button>
      ) : null}
    </Screen>
  );
}

interface RowProps extends Pick<ScreenProps, 'data' | 'source'> {
  readonly row: DecisionRow;
  readonly go: Go;
}

function Row({ row, go, data, source }: RowProps) {
  const { post, take, picture, verdict, standing, note, by, at, media, address } = row;
  const shown = picture === undefined ? undefined : data.pictures[picture];
  return (
    <tr class={standing === 'spent' ? 'spent' : ''}>
      <td class="small">
        {shown && picture !== undefined && <SmallPicture source={source} index={picture} picture={shown} />}
      </td>
      <th scope="row">
        {post ? (
          <Into go={() => go.post(post.address)}>{post.address}</Into>
        ) : (
          <code>{address || media}</code>
        )}
        {take !== undefined && take > 1 ? <small> take {take}</small> : null}
      </th>
      <td>
        <span class={`status ${verdict === 'approved' ? 'done' : 'failed'}`}>
          {verdict === 'approved' ? '✓ approved' : '✗ rejected'}
        </span>
        {standing === 'spent' ? (
          <small> spent: {post ? 'a newer take was requested' : 'the medium is gone'}</small>
        ) : null}
      </td>
      <td class="note">{note ?? ''}</td>
      <td>{by ?? ''}</td>
      <td>{momentText(at)}</td>
    </tr>
  );
}

function asRead(decision: Decision | undefined): TakeDecision | null {
  if (!decision) return null;
  const { verdict, note = null, by = null, at = '' } = decision;
  return { verdict, note, by, at };
}
