import { count, nonZero } from '../../util/count.ts';
import { Coded } from '../coded.tsx';
import { countDecided } from '../decide.ts';
import type { ScreenProps } from '../screen.ts';
import { Command } from './command.tsx';
import { Into, Nothing, Screen } from './frame.tsx';
import { goFrom, type Go } from './go.ts';
import { DecidedCard, PostsCard, RequestedCard } from './summary-cards.tsx';
import { momentText } from './times.ts';

export function SummaryScreen({ data, navigate, state, source }: ScreenProps) {
  const { counts, summary } = data;
  const go = goFrom(navigate);
  return (
    <Screen title="Summary">
      <Facts data={data} />
      {summary.running === null ? null : (
        <p class="remark">
          At work now: <Coded text={summary.running} />.
        </p>
      )}
      {counts.posts ? (
        <>
          <div class="cards">
            <PostsCard data={data} go={go} />
            <DecidedCard decided={countDecided(data, state.decisions)} go={go} />
            <RequestedCard data={data} />
          </div>
          <PlanTable data={data} go={go} />
        </>
      ) : (
        <Nothing>
          The manifest asks for no post yet. Add a post plan under <code>posts:</code> and make the report
          again.
        </Nothing>
      )}
      <NextSteps data={data} source={source} state={state} />
    </Screen>
  );
}

function Facts({ data }: Pick<ScreenProps, 'data'>) {
  const facts = [
    ['Environment', `${data.environment} (${data.service})`],
    ['Manifest', data.manifest],
    ['As of', momentText(data.madeAt)],
    ['Decisions', data.decisionsFile],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What a person has still to do where no command is left. */
function leftWords({ data, decisions }: ScreenProps['state']): string {
  const { undecided, rejected } = countDecided(data, decisions);
  const left = [
    ...(rejected ? [`${count(rejected, 'post')} ${rejected === 1 ? 'is' : 'are'} rejected`] : []),
    ...(undecided ? [`${count(undecided, 'post')} ${undecided === 1 ? 'is' : 'are'} undecided`] : []),
  ];
  return left.length ? `Nothing is left to make; ${left.join(', ')}.` : 'Nothing is left to do.';
}

function NextSteps({
  data: { summary, manifest },
  source,
  state,
}: Pick<ScreenProps, 'data' | 'source' | 'state'>) {
  const isElsewhere = source.decisions.type === 'export';
  return (
    <>
      <h3>Next</h3>
      {isElsewhere && summary.next.length > 0 && (
        <p class="about">For a terminal, in the folder of {manifest}.</p>
      )}
      {summary.next.length ? (
        <ul class="steps">
          {summary.next.map(({ command, does }) => (
            <li key={command}>
              <Command text={command} />
              <span>{does}</span>
            </li>
          ))}
        </ul>
      ) : (
        <Nothing>
          {summary.running === null ? leftWords(state) : 'The run that is at work does what can be done.'}
        </Nothing>
      )}
    </>
  );
}

interface PlanProps extends Pick<ScreenProps, 'data'> {
  readonly go: Go;
}

function PlanTable({ data: { summary }, go }: PlanProps) {
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="Posts by post plan">
      <table>
        <caption>Post plans</caption>
        <thead>
          <tr>
            <th scope="col">Post plan</th>
            <th scope="col" class="num">
              Done
            </th>
            <th scope="col">What else</th>
          </tr>
        </thead>
        <tbody>
          {summary.plans.map(({ key, period, items, done, notes }) => (
            <tr key={key}>
              <th scope="row">
                <Into go={() => go.posts({ plan: [key] })}>{period === null ? key : `${key}/${period}`}</Into>
              </th>
              <td class="num">
                {done}/{items}
              </td>
              <td>{notes.join(', ') || 'complete'}</td>
            </tr>
          ))}
          {summary.settled.map(({ post, period, pending, failed }) => (
            <tr key={`${post} ${period}`}>
              <th scope="row">
                {post}/{period}
              </th>
              <td class="num">settled</td>
              <td>
                {nonZero([
                  [pending, 'pending'],
                  [failed, 'failed'],
                ]).join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
