import { acceptNodes } from '../app/change-nodes.ts';
import { changeOne } from '../cli/change-one.ts';
import type { ChangeOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';
import { targetOf } from '../cli/target.ts';

/** A picture of one product is never taken for that of another one. */
const OTHER_PRODUCTS =
  'it shows other products than its picture. `campaign apply --yes` requests it again, and `campaign state rm` forgets it.';

export function stateAccept(session: Session<ChangeOptions>): CommandEnd {
  const { file, rest: globs } = targetOf(session.args);
  return changeOne(session, file, {
    change: (runtime, campaign, options) => acceptNodes(runtime, campaign, { globs, ...options }),
    show({ accepted, leftOut }, { tick }) {
      const lines = [
        ...accepted.map((address) => `${tick} ${address} accepted\n`),
        ...leftOut.map((address) => `! ${address} is left out: ${OTHER_PRODUCTS}\n`),
      ];
      const nothing = 'Nothing to accept.\n';
      return { json: { accepted, left_out: leftOut }, text: lines.join('') || nothing };
    },
  });
}
