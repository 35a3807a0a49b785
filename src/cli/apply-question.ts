import { count } from '../util/count.ts';
import type { Answer } from '../app/decide-plan.ts';
import type { Payable, Priced } from '../app/payable.ts';
import { againWords } from '../views/held-words.ts';
import type { Question } from './choose.ts';

type Choosable = Answer | 'nothing';

interface Asked extends Question<Choosable> {
  readonly what: string;
}

export function applyQuestion(posts: Payable): Asked {
  if (posts.finished + posts.madeBefore) return aboutFinished(posts);
  return posts.deletions ? aboutDeletions(posts) : aboutFirst(posts);
}

function aboutDeletions({ first, deletions }: Payable): Asked {
  const firstly = requestFirst(first);
  const requested = first.posts
    ? `${count(first.posts, 'new post')} would be requested, and paid${first.cost === undefined ? '' : `: ${first.cost}`}. `
    : '';
  const paidFirst = first.posts ? paid(first) : 'Nothing is paid';
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
  return first.posts ? `request ${count(first.posts, 'new post')}${inBrackets(first)}; ` : '';
}

function aboutFirst({ first }: Payable): Asked {
  const posts = count(first.posts, 'new post');
  return {
    what: `${posts} would be requested, and paid${first.cost === undefined ? '' : `: ${first.cost}`}.`,
    prompt: `Request ${first.posts === 1 ? 'it' : 'them'}?`,
    choices: [
      {
        keys: ['y', 'yes'],
        does: `request ${posts}${inBrackets(first)}`,
        explained: `Everything in the plan is done. ${paid(first)}.`,
        value: 'all',
      },
      NOTHING,
    ],
  };
}

function aboutFinished({ first, finished, keepable, madeBefore, all, deletions }: Payable): Asked {
  const again = againWords({ finished, madeBefore });
  const kept = count(finished, 'finished post');
  const firstly = requestFirst(first);
  const alsoDelete = deletions ? `; delete ${deletions} at the service` : '';
  const alsoLeave = deletions ? '; delete nothing' : '';
  const paidFirst = first.posts ? paid(first) : 'Nothing is paid';
  const one = finished + madeBefore === 1;
  const left = finished ? `leave ${again} as ${one ? 'it is' : 'they are'}` : `do not request ${again}`;
  const alsoBefore = madeBefore ? ', and the next run asks about what was made before' : '';
  const sum = all?.cost === undefined ? '' : `: ${all.cost}`;
  const isBeyond = all ? '' : ' The budget does not allow that.';
  return {
    what: `${
      first.posts
        ? `${count(first.posts, 'new post')} would be requested, and ${again} again; each is paid${sum}.${isBeyond}`
        : `${again} would be requested again, and paid again${sum}.${isBeyond}`
    }${deletions ? ` ${deleted(deletions)}` : ''}`,
    prompt: 'What shall it be?',
    choices: [
      ...(all
        ? [
            {
              keys: ['a', 'apply'] as const,
              does: `apply: ${firstly}request ${again} again${all.cost === undefined ? '' : ` (${all.cost} in all)`}${alsoDelete}`,
              explained: `Everything in the plan is done. ${paid(all)}. The present files stay, as <name>.take<n>.`,
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

function paid({ posts, cost }: Priced): string {
  return `${count(posts, 'post')} ${posts === 1 ? 'is' : 'are'} requested and paid${inBrackets({ posts, cost })}`;
}

function inBrackets({ cost }: Priced): string {
  return cost === undefined ? '' : ` (${cost})`;
}
