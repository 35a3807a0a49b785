import { describe, expect, it } from 'vitest';
import { at, folded, intent, PROBLEM, type Happening } from './fold-events.ts';

const TOTE = 'product/tote';
const made: Happening = { type: 'created', address: TOTE, result: { id: 'p-1' } };
const ended = (type: 'rejected' | 'not-sent' | 'throttled'): Happening => ({
  type,
  address: TOTE,
  problem: PROBLEM,
});
const resolved = (decision: 'created' | 'not-created' | 'skipped', id?: string): Happening => ({
  type: 'resolved',
  address: TOTE,
  decision,
  ...(id && { result: { id } }),
});
/** Those of media and their files. */
const FOREIGN: readonly Happening[] = [
  { type: 'seen', address: TOTE },
  { type: 'generated', address: TOTE, result: { id: 'm-1', urls: [] } },
  { type: 'generation-failed', address: TOTE, problem: PROBLEM },
  { type: 'lost', address: TOTE, problem: PROBLEM },
  { type: 'downloaded', address: TOTE, result: { media: 'm-1', files: [] } },
];
const tote = (...happenings: Happening[]) => folded(...happenings).objects.get(TOTE);

describe('a create', () => {
  it('is unknown from its intent on, as interrupted', () => {
    expect(tote(intent(TOTE))).toMatchObject({
      status: 'unknown',
      inputs: { from: 'f1' },
      fingerprint: 'f1',
      evidence: {
        summary: 'interrupted',
        detail: 'The run ended while the request was under way; the service may or may not have acted on it.',
      },
      at: at(0),
    });
  });

  it('gives the object the inputs of the intent', () => {
    expect(tote(intent(TOTE), made)).toEqual({
      address: TOTE,
      status: 'done',
      result: { id: 'p-1' },
      inputs: { from: 'f1' },
      fingerprint: 'f1',
      versions: new Map([['f1', { from: 'f1' }]]),
      at: at(1),
    });
  });

  it('that was rejected failed and left nothing', () => {
    const object = tote(intent(TOTE), ended('rejected'));
    expect(object).toMatchObject({ status: 'failed', problem: PROBLEM, fingerprint: 'f1' });
    expect(object).not.toHaveProperty('result');
    expect(object).not.toHaveProperty('evidence');
  });

  it.each(['not-sent', 'throttled'] as const)('that was %s did not happen', (type) => {
    expect(tote(intent(TOTE), ended(type))).toBeUndefined();
    expect(tote(intent(TOTE), ended('rejected'), intent(TOTE, 'f2'), ended(type))).toEqual(
      tote(intent(TOTE), ended('rejected')),
    );
  });

  it('keeps the evidence of an unknown end', () => {
    const evidence = { summary: 'no answer', status: 502 };
    expect(tote(intent(TOTE), { type: 'unknown', address: TOTE, evidence })).toMatchObject({
      status: 'unknown',
      evidence,
    });
  });

  it('sent again while unknown is taken back one intent at a time', () => {
    const twice = [intent(TOTE), intent(TOTE, 'f2')];
    expect(tote(...twice, ended('not-sent'))).toEqual(tote(intent(TOTE)));
    expect(tote(...twice, ended('not-sent'), resolved('not-created'))).toBeUndefined();
    expect(folded(...twice, made).before.size).toBe(0);
    const existed = [intent(TOTE), made];
    expect(
      tote(...existed, intent(TOTE, 'f2'), intent(TOTE, 'f3'), ended('not-sent'), ended('throttled')),
    ).toEqual(tote(...existed));
  });

  it('without a known intent has no inputs', () => {
    expect(tote(made)).toMatchObject({ status: 'done', inputs: {}, fingerprint: '' });
  });
});

describe('a decision', () => {
  it('says what exists', () => {
    expect(tote(intent(TOTE), resolved('created', 'p-9'))).toMatchObject({
      status: 'done',
      result: { id: 'p-9' },
      fingerprint: 'f1',
    });
  });

  it('without what exists decides nothing', () => {
    expect(tote(intent(TOTE), resolved('created'))?.status).toBe('unknown');
  });

  it('says that nothing exists', () => {
    expect(tote(intent(TOTE), resolved('not-created'))).toBeUndefined();
  });

  it('gives the object up', () => {
    const object = tote(intent(TOTE), resolved('skipped'));
    expect(object).toMatchObject({ status: 'skipped', fingerprint: 'f1' });
    expect(object).not.toHaveProperty('evidence');
    const failed: Happening = { type: 'failed', address: TOTE, problem: PROBLEM };
    expect(tote(intent(TOTE), made, failed, resolved('skipped'))?.result).toEqual({ id: 'p-1' });
  });
});

describe('an update', () => {
  const updated: Happening = {
    type: 'updated',
    address: TOTE,
    inputs: { from: 'f2' },
    fingerprint: 'f2',
    result: { id: 'p-1', url: 'https://cdn.example.com/1.jpg' },
  };

  it('changes the inputs and keeps the old ones among the versions', () => {
    expect(tote(intent(TOTE), made, updated)).toMatchObject({
      status: 'done',
      inputs: { from: 'f2' },
      fingerprint: 'f2',
      versions: new Map([
        ['f1', { from: 'f1' }],
        ['f2', { from: 'f2' }],
      ]),
    });
  });

  it('that failed leaves what exists as it was, and a later success forgets the failure', () => {
    const failed: Happening = { type: 'failed', address: TOTE, problem: PROBLEM };
    expect(tote(intent(TOTE), made, failed)).toMatchObject({
      status: 'failed',
      result: { id: 'p-1' },
      fingerprint: 'f1',
      problem: PROBLEM,
    });
    expect(tote(intent(TOTE), made, failed, updated)).not.toHaveProperty('problem');
  });

  it('that is under way, or was interrupted, has failed until its end says more', () => {
    const updating: Happening = { type: 'updating', address: TOTE };
    expect(tote(intent(TOTE), made, updating)).toEqual({
      ...tote(intent(TOTE), made),
      status: 'failed',
      problem: { summary: 'the update was interrupted' },
      at: at(2),
    });
    expect(tote(intent(TOTE), made, updating, updated)).toMatchObject({ status: 'done', fingerprint: 'f2' });
  });
});

describe('inputs that a person accepted', () => {
  const accepted: Happening = {
    type: 'accepted',
    address: TOTE,
    inputs: { from: 'f2' },
    fingerprint: 'f2',
  };

  it('are those of what exists from then on, and a failed update is settled', () => {
    const failed: Happening = { type: 'failed', address: TOTE, problem: PROBLEM };
    expect(tote(intent(TOTE), made, failed, accepted)).toEqual({
      address: TOTE,
      status: 'done',
      result: { id: 'p-1' },
      inputs: { from: 'f2' },
      fingerprint: 'f2',
      versions: new Map([
        ['f1', { from: 'f1' }],
        ['f2', { from: 'f2' }],
      ]),
      at: at(3),
    });
  });

  it('make nothing exist', () => {
    expect(tote(intent(TOTE), accepted)).toMatchObject({ status: 'unknown', fingerprint: 'f2' });
    expect(tote(accepted)).toMatchObject({ status: 'failed', fingerprint: 'f2' });
  });
});

describe('an upload', () => {
  const address = 'upload/0123456789abcdef';
  it('is done with its URL', () => {
    const uploaded: Happening = {
      type: 'uploaded',
      address,
      inputs: { sha256: 'x' },
      fingerprint: 'f',
      result: { url: 'https://cdn.example.com/1.jpg' },
    };
    expect(folded(uploaded).objects.get(address)).toMatchObject({
      status: 'done',
      result: { url: 'https://cdn.example.com/1.jpg' },
    });
  });

  it('that failed has no inputs', () => {
    const failed: Happening = { type: 'failed', address, problem: PROBLEM };
    expect(folded(failed).objects.get(address)).toMatchObject({ status: 'failed', fingerprint: '' });
  });
});

describe('a move', () => {
  const move: Happening = { type: 'moved', moves: [{ from: TOTE, to: 'product/bag' }] };

  it('gives an object another address, open intents included', () => {
    const state = folded(intent(TOTE), made, intent(TOTE, 'f2'), move);
    expect(state.objects.has(TOTE)).toBe(false);
    expect(state.objects.get('product/bag')).toMatchObject({ address: 'product/bag', fingerprint: 'f2' });
    const back = folded(intent(TOTE), made, intent(TOTE, 'f2'), move, {
      type: 'not-sent',
      address: 'product/bag',
      problem: PROBLEM,
    });
    expect(back.objects.get('product/bag')).toMatchObject({ address: 'product/bag', fingerprint: 'f1' });
  });

  it('keeps everything else', () => {
    const object = folded(intent(TOTE), made, move).objects.get('product/bag');
    expect(object).toEqual({ ...tote(intent(TOTE), made), address: 'product/bag' });
  });

  it('of what is not there does nothing', () => {
    expect(folded(move).objects.size).toBe(0);
  });
});

describe('an event of another kind of node', () => {
  it.each(FOREIGN)('changes nothing: $type', (event) => {
    expect(tote(event)).toBeUndefined();
    expect(tote(intent(TOTE), made, event)).toEqual(tote(intent(TOTE), made));
  });
});
