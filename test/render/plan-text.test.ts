import { describe, expect, it } from 'vitest';
import { planText } from '../../src/render/plan-text.ts';
import { PLAIN } from '../support/plain-style.ts';
import { HELD, locate, SAMPLE } from './plan-samples.ts';

describe('the text of a plan', () => {
  it('has a symbol and an address a line', () => {
    console.log(planText(SAMPLE, locate, PLAIN));
    console.log(planText(HELD, locate, PLAIN));
    expect(planText(SAMPLE, locate, PLAIN)).toBe(``);
  });
});
