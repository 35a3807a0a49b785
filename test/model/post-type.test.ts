import { expect, it } from 'vitest';
import { postTypeOf } from '../../src/model/post-type.ts';

it('a type of post is one that the interface has, and nothing else that a service may say', () => {
  for (const type of ['image', 'video', 'carousel']) expect(postTypeOf(type)).toBe(type);
  const others = [
    'Image',
    '../../etc/x',
    'a\nb',
    '\u001b[2J',
    'x\0',
    '__proto__',
    '',
    7,
    null,
    undefined,
    {},
  ];
  for (const other of others) expect(postTypeOf(other)).toBe('');
});
