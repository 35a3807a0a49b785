import { judge, type JudgeOptions } from '../cli/judge.ts';
import type { SharedOptions } from '../cli/options.ts';
import type { CommandEnd, Session } from '../cli/session.ts';

export function approve(session: Session<SharedOptions & JudgeOptions>): CommandEnd {
  return judge(session, 'approved');
}
