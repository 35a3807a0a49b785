import { acceptNodes } from '../app/change-nodes.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';

export function stateAccept(session: Session<ChangeOptions>): CommandEnd {
  const { file, rest: globs } = targetOf(session.args);
  return changeOne(session, file, {
    change: (runtime, campaign, options) => acceptNodes(runtime, campaign, { globs, ...options }),
    show(accepted, { tick }) {
      const lines = accepted.map((address) => `${tick} ${address} accepted\n`);
      const nothing = 'Nothing to accept.\n';
      return { json: { accepted }, text: lines.join('') || nothing };
    },
  });
}
