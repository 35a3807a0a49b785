import type { Behaviour } from '../../src/emulator/emulator.ts';

/**
 * Readings of the emulator's switches that leave the interface, on purpose: a client should understand them all the
 * same. Each with the problem that the check of its answers then finds.
 */
const DEPARTURES: readonly { readonly reading: Partial<Behaviour>; readonly problem: RegExp }[] = [
  {
    reading: { createStatus: 200 },
    problem: /^POST \/media-config\/ 200 is not an answer of this endpoint$/,
  },
  { reading: { estimatedDuration: 'number' }, problem: / 200 \/data\/estimated_duration must be string$/ },
  { reading: { fileLinks: 'paths' }, problem: /^POST \/upload-media\/ 20[01] / },
  { reading: { expiresAt: 'none' }, problem: / 200 \/data must have required property 'expires_at'$/ },
];

/** What the answers under this behaviour may have wrong. */
export function departuresOf(behaviour: Partial<Behaviour> = {}): RegExp[] {
  const given: Readonly<Record<string, unknown>> = behaviour;
  return DEPARTURES.filter(({ reading }) =>
    Object.entries(reading).every(([name, value]) => given[name] === value),
  ).map(({ problem }) => problem);
}
