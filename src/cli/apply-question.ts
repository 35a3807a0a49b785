import { count } from '../util/count.ts';
import type { Answer, Payable } from '../app/decide-plan.ts';
import type { Question } from './choose.ts';

type Choosable = Answer | 'nothing';

export function applyQuestion(posts: Payable): Question<Choosable> & { readonly what: string } {
  return posts.finished ? aboutFinished(posts) : aboutFirst(posts);
}

function aboutFirst({ first }: Payable): Question<Choosable> & { readonly what: string } {
  return {
    what: `${count(first, 'new post')} would be requested, and paid.`,
    prompt: `Request ${first === 1 ? 'it' : 'them'}?`,
    choices: [
      {
        keys: ['y', 'yes'],
        does: `request ${count(first, 'new post')}`,
        explained: `Everything in the plan is done. ${paid(first)}.`,
        value: 'all',
      },
      NOTHING,
    ],
  };
}

function aboutFinished({ first, finished, all }: Payable): Question<Choosable> & { readonly what: string } {
  const again = count(finished, 'finished post');
  const firstly = first ? `request ${count(first, 'new post')}; ` : '';
  const paidFirst = first ? paid(first) : 'Nothing is paid';
  const one = finished === 1;
  return {
    what: first
      ? `${count(first, 'new post')} would be requested, and ${again} again; each is paid.`
      : `${again} would be requested again, and paid again.`,
    prompt: 'What shall it be?',
    choices: [
      {
        keys: ['a', 'apply'],
        does: `apply: ${firstly}request ${again} again`,
        explained: `Everything in the plan is done. ${paid(all)}. The present files stay, as <name>.take<n>.`,
        value: 'all',
      },
      {
        keys: ['k', 'keep'],
        does: `keep: ${firstly}keep the present files and accept the edit for good`,
        explained: `${again} ${one ? 'counts' : 'count'} as made from the edited manifest: no run asks again. The rest of the plan is done. ${paidFirst}.`,
        value: 'keep',
      },
      {
        keys: ['l', 'leave'],
        does: `leave: ${firstly}leave ${again} as ${one ? 'it is' : 'they are'} for now`,
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

function paid(posts: number): string {
  return `${count(posts, 'post')} ${posts === 1 ? 'is' : 'are'} requested and paid`;
}
