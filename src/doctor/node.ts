import { EXIT } from '../model/exit.ts';
import { type Check, ok, wrong } from './check.ts';
import type { Machine } from './context.ts';

export const node: Check<Machine> = {
  id: 'node',
  look({ nodeVersion, oldestNode }) {
    const [major = 0, minor = 0] = nodeVersion.split('.').map(Number);
    const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split('.').map(Number);
    if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor))
      return ok(`Node ${nodeVersion}`);
    return wrong(
      EXIT.configuration,
      `Node ${nodeVersion} is too old`,
      `Install Node ${oldestNode} or newer.`,
    );
  },
};
