import { forgetNodes } from '../app/change-nodes.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';

export async function stateRm(session: Session<ChangeOptions>): CommandEnd {
  const { file, rest: globs } = targetOf(session.args);
  if (!globs.length) session.misuse('error: name the nodes to forget, e.g. product/tote');
  return changeOne(session, file, {
    change: (runtime, campaign, options) => forgetNodes(runtime, campaign, { globs, ...options }),
    show: (forgotten, { tick }) => ({
      json: { forgotten },
      text: forgotten.map((address) => `${tick} ${address} forgotten\n`).join(''),
    }),
  });
}
