import { useState } from 'preact/hooks';
import { durationText } from '../../util/duration.ts';
import { BAR_KINDS, type BarKind, WIDTH } from '../../views/lanes.ts';
import type { RunLane, RunTimeline } from '../../views/run-timeline.ts';
import { PART_WORDS } from '../../views/time-parts.ts';
import type { ScreenProps } from '../screen.ts';
import { Nothing, Screen } from './frame.tsx';
import { momentText } from './times.ts';

const LANE_WORDS: Readonly<Record<RunLane['kind'], string>> = {
  upload: 'Uploads',
  product: 'Products',
  concept: 'Concepts',
  'media-config': 'Requests of posts',
  media: 'Posts: generation and polls',
  download: 'Downloads',
};

const BAR_WORDS: Readonly<Record<BarKind, string>> = {
  working: 'request under way',
  again: 'sent again after a problem',
  generating: 'waiting for the service',
  waiting: 'waiting to try again',
};

export function TimelineScreen({ data: { runs } }: Pick<ScreenProps, 'data'>) {
  const [chosen, choose] = useState<string>();
  const shown =
    runs.find(({ run }) => run === chosen) ?? runs.find(({ recorded }) => recorded !== 'nothing') ?? runs[0];
  return (
    <Screen title="Timeline" about="What a run did when, and where its time went.">
      {shown ? (
        <>
          <label class="tools">
            Run{' '}
            <select value={shown.run} onChange={(event) => choose(event.currentTarget.value)}>
              {runs.map((each) => (
                <option key={each.run} value={each.run}>
                  {runWords(each)}
                </option>
              ))}
            </select>
          </label>
          <Run timeline={shown} />
        </>
      ) : (
        <Nothing>No run has changed this state yet.</Nothing>
      )}
    </Screen>
  );
}

function runWords({ startedAt, command, outcome, ms, run }: RunTimeline): string {
  return `${momentText(startedAt)} · ${command} · ${outcome ?? 'no end'} · ${durationText(ms)} · ${run}`;
}

function Run({ timeline }: { readonly timeline: RunTimeline }) {
  const { recorded, sentence, lanes, parts, ms, outcome, by } = timeline;
  return (
    <>
      {outcome === null ? (
        <p class="remark">This run has no recorded end: it is under way, or it was killed.</p>
      ) : null}
      {recorded === 'nothing' ? (
        <Nothing>
          Only the summary of this run is kept ({durationText(ms)}
          {by === null ? '' : `, by ${by}`}): it sent nothing, or its log was compacted since.
        </Nothing>
      ) : (
        <>
          <p class="lead">{sentence}</p>
          {recorded === 'log' ? (
            <p class="about">
              This comes from the state, which has the beginning and the end of every create, and the moment
              in which a photo, a post or a file was there. Polls and the beginnings of uploads and downloads
              are recorded only on the machine that ran it.
            </p>
          ) : null}
          <ul class="legend" aria-label="What the bars mean">
            {BAR_KINDS.map((kind) => (
              <li key={kind}>
                <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
                  <rect class={`bar-${kind}`} width="10" height="10" />
                </svg>{' '}
                {BAR_WORDS[kind]}
              </li>
            ))}
          </ul>
          <div class="lanes">
            {lanes.map((lane) => (
              <Lane key={lane.kind} lane={lane} />
            ))}
            <div class="axis" aria-hidden="true">
              {[0, 0.25, 0.5, 0.75, 1].map((part) => (
                <span key={part}>{durationText(ms * part)}</span>
              ))}
            </div>
          </div>
          <Parts parts={parts} ms={ms} />
          <LaneTable lanes={lanes} />
        </>
      )}
    </>
  );
}

/** Requests often take less than what a run is counted in. */
function timeText(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : durationText(ms);
}

const ROW = 10;

function Lane({ lane: { kind, rows, rects, atOnce } }: { readonly lane: RunLane }) {
  const height = rows * ROW;
  return (
    <div class="lane">
      <div class="name">
        {LANE_WORDS[kind]}
        <small>{atOnce === 1 ? 'one at once' : `up to ${atOnce} at once`}</small>
      </div>
      <svg
        viewBox={`0 0 ${WIDTH} ${height}`}
        height={Math.max(height, 2 * ROW)}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${LANE_WORDS[kind]} over time; the table below has the numbers`}
      >
        {/* What waits lies below what works. */}
        {BAR_KINDS.toReversed().map((bar) => {
          const drawn = rects[bar];
          return drawn ? <path key={bar} class={`bar-${bar}`} d={pathOf(drawn, bar)} /> : null;
        })}
      </svg>
    </div>
  );
}

/** One path for all rectangles of a kind: thousands of elements would take seconds. */
function pathOf(rects: readonly number[], kind: BarKind): string {
  const isWait = kind === 'generating' || kind === 'waiting';
  const [gap, height] = isWait ? [ROW * 0.35, ROW * 0.3] : [ROW * 0.1, ROW * 0.8];
  let path = '';
  for (let at = 0; at + 2 < rects.length; at += 3) {
    const [x = 0, width = 0, row = 0] = rects.slice(at, at + 3);
    path += `M${x} ${row * ROW + gap}h${width}v${height}h${-width}z`;
  }
  return path;
}

function Parts({ parts, ms }: Pick<RunTimeline, 'parts' | 'ms'>) {
  const told = parts.filter((part) => part.ms > 0);
  return (
    <table>
      <caption>Where {durationText(ms)} went: each moment counts once</caption>
      <thead>
        <tr>
          <th scope="col">Part</th>
          <th scope="col" class="num">
            Time
          </th>
          <th scope="col" class="num">
            Share
          </th>
        </tr>
      </thead>
      <tbody>
        {told.map((part) => (
          <tr key={part.part}>
            <th scope="row">{PART_WORDS[part.part]}</th>
            <td class="num">{timeText(part.ms)}</td>
            <td class="num">{ms ? Math.round((part.ms / ms) * 100) : 0} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function LaneTable({ lanes }: Pick<RunTimeline, 'lanes'>) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Requests by kind">
      <table>
        <caption>Requests by kind</caption>
        <thead>
          <tr>
            <th scope="col">Kind</th>
            {['Requests', 'Again', 'Working', 'Waiting', 'Longest request'].map((name) => (
              <th key={name} scope="col" class="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lanes.map(({ kind, requests, again, workingMs, waitingMs, longest }) => (
            <tr key={kind}>
              <th scope="row">{LANE_WORDS[kind]}</th>
              <td class="num">{requests || 'not recorded'}</td>
              <td class="num">{again}</td>
              <td class="num">{workingMs === null ? 'not recorded' : timeText(workingMs)}</td>
              <td class="num">{timeText(waitingMs)}</td>
              <td class="num">{longest ? `${timeText(longest.ms)}: ${longest.address}` : ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
