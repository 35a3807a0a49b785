import { bottle } from './products/bottle.mjs';
import { candle } from './products/candle.mjs';
import { mug } from './products/mug.mjs';
import { notebook } from './products/notebook.mjs';
import { nothing } from './products/nothing.mjs';
import { soap } from './products/soap.mjs';
import { teapot } from './products/teapot.mjs';
import { tote } from './products/tote.mjs';
import { vase } from './products/vase.mjs';
import { daylight, evening, wallOf } from './studio.mjs';
import { linen, oak, stone, terrazzo } from './tables.mjs';

/** Every photo: its file below examples/, its size, what stands where, and from where it is taken. */
export function shots() {
  return [...totes(), ...mugs(), ...week(), ...moods()].map((shot, i) => ({ ...shot, seed: 1000 + i }));
}

function totes() {
  const room = { table: oak(), wall: wallOf('#cfd8c6'), studio: daylight(), focus: 6 };
  const folder = 'quickstart/photos/tote';
  return [
    large(
      `${folder}/1-front.jpg`,
      { ...room, product: tote() },
      { from: [0.15, 1.55, 6.6], to: [0.02, 0.93, 0], zoom: 1.95 },
    ),
    large(
      `${folder}/2-three-quarter.jpg`,
      { ...room, product: tote({ angle: 0.55 }) },
      { from: [0.3, 2.3, 6], to: [0.02, 0.93, 0], zoom: 1.9 },
    ),
    large(
      `${folder}/3-detail.jpg`,
      { ...room, product: tote({ angle: -0.35 }), focus: 3 },
      { from: [-0.5, 1.75, 3.4], to: [-0.12, 1.14, 0.1], zoom: 1.9 },
    ),
  ];
}

function mugs() {
  const room = { table: linen(), wall: wallOf('#d9c7b3'), studio: daylight(), focus: 4.6 };
  const folder = 'quickstart/photos/mug';
  return [
    large(
      `${folder}/1-front.jpg`,
      { ...room, product: mug({ angle: 0.15 }) },
      { from: [0.1, 1.3, 4.6], to: [0.12, 0.46, 0], zoom: 2.3 },
    ),
    large(
      `${folder}/2-three-quarter.jpg`,
      { ...room, product: mug({ angle: -0.75 }) },
      { from: [0.2, 2.25, 4.1], to: [0.1, 0.45, 0], zoom: 2.3 },
    ),
    large(
      `${folder}/3-top.jpg`,
      { ...room, product: mug({ angle: 0.5 }) },
      { from: [0.1, 4.8, 1.4], to: [0.1, 0.4, 0.05], zoom: 2.25 },
    ),
  ];
}

/** The range of the matrix example: each product in its own corner of the house. */
function week() {
  const bath = {
    table: terrazzo('#d9d3c7', ['#b5654a', '#7f8f7a', '#e3b778', '#6d6a66']),
    wall: wallOf('#c3d0cb'),
    studio: daylight({ pattern: 'leaves' }),
    focus: 5,
  };
  const shelf = {
    table: stone('#b9a894'),
    wall: wallOf('#b98a70'),
    studio: daylight({ warmth: 0.7 }),
    focus: 5.5,
  };
  const lounge = {
    table: oak({ light: '#8f7158', dark: '#5c4636' }),
    wall: wallOf('#66606c'),
    studio: evening(),
    focus: 5,
  };
  const kitchen = { table: oak(), wall: wallOf('#dccfb8'), studio: daylight({ warmth: 0.6 }), focus: 5.5 };
  const desk = { table: linen('#c9c3b4'), wall: wallOf('#e0d6c3'), studio: daylight(), focus: 5 };
  return [
    small(
      'bottle/1-front.jpg',
      { ...bath, product: bottle() },
      { from: [0.1, 1.5, 5.4], to: [0.06, 0.72, 0], zoom: 2.05 },
    ),
    small(
      'bottle/2-close.jpg',
      { ...bath, product: bottle() },
      { from: [-0.9, 1.7, 3.6], to: [0.02, 0.72, 0], zoom: 1.95 },
    ),
    small(
      'candle/1-front.jpg',
      { ...lounge, product: candle() },
      { from: [0.1, 2, 4.9], to: [0.1, 0.46, 0], zoom: 2.35 },
    ),
    small(
      'candle/2-top.jpg',
      { ...lounge, product: candle() },
      { from: [0.2, 3.6, 2.9], to: [0.1, 0.45, 0], zoom: 2.35 },
    ),
    small(
      'notebook/1-three-quarter.jpg',
      { ...desk, product: notebook() },
      { from: [0.2, 3.6, 4.3], to: [0.05, 0.22, 0], zoom: 1.75 },
    ),
    small(
      'soap/1-three-quarter.jpg',
      { ...bath, product: soap() },
      { from: [0.1, 2.1, 4.4], to: [0.06, 0.38, 0], zoom: 1.95 },
    ),
    small(
      'teapot/1-front.jpg',
      { ...kitchen, product: teapot({ angle: 0.2 }) },
      { from: [0.1, 1.75, 5.5], to: [0.12, 0.7, 0], zoom: 1.95 },
    ),
    small(
      'teapot/2-three-quarter.jpg',
      { ...kitchen, product: teapot({ angle: -0.7 }) },
      { from: [0.1, 3, 4.8], to: [0.12, 0.64, 0], zoom: 1.95 },
    ),
    small(
      'vase/1-front.jpg',
      { ...shelf, product: vase() },
      { from: [0.1, 1.8, 6.6], to: [0.1, 1.12, 0], zoom: 2 },
    ),
  ];
}

function large(file, scene, camera) {
  return { file, scene, camera, width: 2400, height: 1800, film: { grain: 10, quality: 96 } };
}

/** Portrait, as for a shop page. */
function small(file, scene, camera) {
  return {
    file: `matrix/photos/${file}`,
    scene,
    camera,
    width: 960,
    height: 1200,
    film: { grain: 7, quality: 93 },
  };
}

/** Reference images: light and material instead of things. */
function moods() {
  const cloth = { product: nothing(), table: linen('#cdd6bd'), wall: wallOf('#c4d0b4'), focus: 4.5 };
  const mood = { width: 1600, height: 1200, film: { grain: 7, quality: 84 } };
  const street = { width: 1200, height: 1500 };
  return [
    {
      ...mood,
      file: 'quickstart/refs/morning/1-linen.jpg',
      scene: { ...cloth, studio: daylight({ pattern: 'leaves' }) },
      camera: { from: [0.4, 3.6, 2.6], to: [0, 0, -0.4], zoom: 1.3 },
    },
    {
      ...mood,
      file: 'quickstart/refs/morning/2-window.jpg',
      scene: {
        ...cloth,
        table: linen('#e4dfd0'),
        wall: wallOf('#c4d3ae', { distance: 1.1, lit: 1.5 }),
        studio: daylight(),
      },
      camera: { from: [0.2, 1.5, 5.6], to: [0.2, 1.1, 0], zoom: 1.25 },
    },
    {
      ...street,
      file: 'matrix/refs/night/1-street.jpg',
      street: { colors: ['#ff3d9a', '#27d3ff', '#8b5bff', '#ffb057'] },
    },
    {
      ...street,
      file: 'matrix/refs/night/2-crossing.jpg',
      street: { colors: ['#22e0c8', '#ff5470', '#5b7dff'] },
    },
  ];
}
