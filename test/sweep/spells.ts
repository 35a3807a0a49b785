/** Crash points at which a gateway begins to answer 404 to everything but the token, in place of the service. */
import type { CrashRun } from '../support/crash-run.ts';
import type { Point } from './points.ts';

/** Of so many requests, or of all that a run still sends. */
const LENGTHS = [2, 6, 18, 'the rest of the run'] as const;

export function spellsOf404(calls: number): Point[] {
  return Array.from({ length: calls }, (_, index) => index + 1).flatMap((n) =>
    LENGTHS.map((length) => ({ name: `404 from request ${n} on: ${length}`, network: spell(n, length) })),
  );
}

function spell(n: number, length: (typeof LENGTHS)[number]): NonNullable<Point['network']> {
  let during: CrashRun | undefined;
  return (now, { world, call }) => {
    const run = world.runs.at(-1);
    if (now === n) during = run;
    const isOn = length === 'the rest of the run' ? during && during === run : now >= n && now < n + length;
    return isOn && call.route !== 'POST /get_auth_token' ? { status: 404 } : undefined;
  };
}
