import { count } from '../util/count.ts';
import type { Answer } from '../app/decide-plan.ts';
import type { Payable, Priced } from '../app/payable.ts';
import { postsText } from '../views/budget-words.ts';
import { heldUpWords, requestedWords } from '../views/held-words.ts';
import type { Question } from './choose.ts';

type Choosable = Answer | 'nothing';

interface Asked extends Question<Choosable> {
  readonly what: string;
}

export function applyQuestion(posts: Payable): Asked {
  if (posts.finished + posts.heldUp) return aboutFinished(posts);
  return posts.deletions ? aboutDeletions(posts) : aboutFirst(posts);
}

function aboutDeletions({ first, deletions, isFree }: Payable): Asked {
  const firstly = requestFirst(first);
  const requested = first.posts
    ? `${postsText(first)} would be requested${andPaid(', and paid', { isFree, sum: first })}. `
    : '';
  const paidFirst = first.posts ? paid(first, isFree) : 'Nothing is paid';
  return {
    what: `${requested}${deleted(deletions)}`,
    prompt: 'What shall it be?',
    choices: [
      {
        keys: ['a', 'apply'],
        does: `apply: ${firstly}delete ${deletions} at the service`,
        explained: `Everything in the plan is done. ${paidFirst}. What is deleted cannot be brought back; downloaded files stay.`,
        value: 'all',
      },
      {
        keys: ['l', 'leave'],
        does: `leave: ${firstly}delete nothing for now`,
        explained: `The rest of the plan is done, and this run ends with 5; the next one asks again. ${paidFirst}.`,
        value: 'leave',
      },
      NOTHING,
    ],
  };
}

function deleted(deletions: number): string {
  const are = deletions === 1 ? 'product, concept or request' : 'products, concepts and requests';
  return `${deletions} ${are} would be deleted at the service, a request with its posts.`;
}

function requestFirst(first: Priced): string {
  return first.posts ? `request ${postsText(first)}${inBrackets(first)}; ` : '';
}

function aboutFirst({ first, isFree }: Payable): Asked {
  const posts = postsText(first);
  return {
    what: `${posts} would be requested${andPaid(', and paid', { isFree, sum: first })}.`,
    prompt: `Request ${first.posts === 1 ? 'it' : 'them'}?`,
    choices: [
      {
        keys: ['y', 'yes'],
        does: `request ${posts}${inBrackets(first)}`,
        explained: `Everything in the plan is done. ${paid(first, isFree)}.`,
        value: 'all',
      },
      NOTHING,
    ],
  };
}

function aboutFinished({ first, finished, keepable, heldUp, all, deletions, isFree }: Payable): Asked {
  const kept = count(finished, 'finished post');
  const may = heldUp ? [heldUpWords(heldUp)] : [];
  const requests = [
    ...may.map((words) => `request ${words}`),
    ...(finished ? [`request ${kept} again`] : []),
  ].join('; ');
  const left = [
    ...may.map((words) => `do not request ${words}`),
    ...(finished ? [`leave ${kept} as ${finished === 1 ? 'it is' : 'they are'}`] : []),
  ].join('; ');
  const firstly = requestFirst(first);
  const alsoDelete = deletions ? `; delete ${deletions} at the service` : '';
  const alsoLeave = deletions ? '; delete nothing' : '';
  const paidFirst = first.posts ? paid(first, isFree) : 'Nothing is paid';
  const alsoBefore = heldUp ? ', and the next run asks about what is held up' : '';
  const news = [...(first.posts ? [postsText(first)] : []), ...may];
  const paying = !finished ? ', and paid' : news.length ? '; each is paid' : ', and paid again';
  const isBeyond = all ? '' : ' The budget does not allow that.';
  return {
    what: `${requestedWords(news, finished)}${andPaid(paying, { isFree, sum: all })}.${isBeyond}${deletions ? ` ${deleted(deletions)}` : ''}`,
    prompt: 'What shall it be?',
    choices: [
      ...(all
        ? [
            {
              keys: ['a', 'apply'] as const,
              does: `apply: ${firstly}${requests}${all.cost === undefined ? '' : ` (${all.cost} in all)`}${alsoDelete}`,
              explained: `Everything in the plan is done. ${paid(all, isFree)}.${finished ? ' The present files stay, as <name>.take<n>.' : ''}`,
              value: 'all' as const,
            },
          ]
        : []),
      ...(keepable
        ? [
            {
              keys: ['k', 'keep'] as const,
              does: `keep: ${firstly}keep the present files and accept the edit for good${alsoDelete}`,
              explained: `${kept} ${finished === 1 ? 'counts' : 'count'} as made from the edited manifest: no run asks again. The rest of the plan is done${alsoBefore}. ${paidFirst}.`,
              value: 'keep' as const,
            },
          ]
        : []),
      {
        keys: ['l', 'leave'],
        does: `leave: ${firstly}${left} for now${alsoLeave}`,
        explained: `The rest of the plan is done, and this run ends with 5; the next one asks again. ${paidFirst}.`,
        value: 'leave',
      },
      NOTHING,
    ],
  };
}

const NOTHING: Question<Choosable>['choices'][number] = {
  keys: ['n', 'no', 'q', 'quit'],
  does: 'send nothing',
  explained: 'No request is sent, and the command ends with 5; q does the same.',
  value: 'nothing',
};

function paid(all: Priced, isFree: boolean): string {
  const { posts } = all;
  return `${count(posts, 'post')} ${posts === 1 ? 'is' : 'are'} requested${isFree ? '' : ' and paid'}${inBrackets(all)}`;
}

/** The words, and what it costs; with the emulator nothing is paid, and a sum is only what the prices come to. */
function andPaid(words: string, { isFree, sum }: { isFree: boolean; sum: Priced | undefined }): string {
  const cost = sum?.cost;
  if (isFree) return cost === undefined ? '' : ` (${cost} by the prices of the manifest)`;
  return `${words}${cost === undefined ? '' : `: ${cost}`}`;
}

function inBrackets({ cost }: Priced): string {
  return cost === undefined ? '' : ` (${cost})`;
}
