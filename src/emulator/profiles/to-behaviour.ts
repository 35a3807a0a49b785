import { type Behaviour, DEFAULT_BEHAVIOUR, SWITCHES } from '../behaviour.ts';
import type { Switches } from '../generated/profile-document.js';
import { toMs } from './to-rule.ts';

/** How a profile spells the name of a switch: `mediaPath` is `media_path`. */
export function switchName(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The switches that a profile sets, as the emulator takes them. */
export function toBehaviour(switches: Switches): Partial<Behaviour> {
  const written = new Map<string, unknown>(Object.entries(switches));
  const readings = Object.keys(SWITCHES).flatMap((name) => {
    const value = written.get(switchName(name));
    return value === undefined ? [] : [[name, value] as const];
  });
  const { token_life: tokenLife, latency, generation } = switches;
  return {
    // The schema lists the values of every switch; a test compares it with SWITCHES.
    ...(Object.fromEntries(readings) as Partial<Behaviour>),
    ...(tokenLife !== undefined && { tokenLifeSeconds: Math.ceil(toMs(tokenLife) / 1_000) }),
    ...(latency !== undefined && { latencyMs: toMs(latency) }),
    ...(generation !== undefined && {
      generationMs: {
        ...DEFAULT_BEHAVIOUR.generationMs,
        ...Object.fromEntries(Object.entries(generation).map(([type, time]) => [type, toMs(time)])),
      },
    }),
  };
}
