import { expect, it } from 'vitest';
import { startRig } from '../support/engine-rig.ts';
import { failed, throttled } from '../support/facts.ts';
import { uploadNode } from '../support/planned-nodes.ts';

const NAMES = Array.from({ length: 30 }, (_, n) => `u${n}`);

function loads(rig: ReturnType<typeof startRig>) {
  return rig.events.flatMap((event) => {
    if (event.type !== 'load-changed') return [];
    return [event.state === 'throttled' ? `${event.at_once} of ${event.of}` : event.state];
  });
}

it('a run tells when the service slows it down, to how many requests at once, and when that is over', async () => {
  const rig = startRig({ nodes: NAMES.map((name) => uploadNode(name)), limits: { total: 4 } });
  await rig.answer('upload/u0', throttled(0));
  expect(loads(rig)).toEqual(['3 of 4']);
  while (rig.held.started.length < NAMES.length + 1 || rig.held.held().length > 0) {
    for (const address of rig.held.held()) await rig.answer(address);
    await rig.clock.advance(1_000);
  }
  await rig.report;
  expect(loads(rig)).toEqual(['3 of 4', 'normal']);
});

it('a run tells of an outage once three requests in a row came to nothing, and of its end', async () => {
  const rig = startRig({ nodes: NAMES.map((name) => uploadNode(name)), limits: { total: 3 } });
  for (const name of NAMES.slice(0, 3)) await rig.answer(`upload/${name}`, failed('server-error'));
  expect(loads(rig).at(-1)).toBe('outage');
  await rig.answer(`upload/u3`);
  expect(loads(rig).at(-1)).not.toBe('outage');
});
