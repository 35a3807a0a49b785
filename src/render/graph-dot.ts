import { orderOf } from '../model/kinds.ts';
import type { Box, Picture } from '../views/collapse-graph.ts';
import { labelOf, lineOf, LOOKS, notesOf, statusesIn, urgentOf } from './graph-label.ts';
import { displayWidth } from './text-columns.ts';

const FONT = '"Helvetica,Arial,sans-serif"';
const HEAD = `digraph campaign {
  graph [rankdir=LR, bgcolor=white, pad=0.3, nodesep=0.15, ranksep=0.6, fontname=${FONT}, fontsize=12, fontcolor="#111827", labelloc=t, labeljust=l];
  node [shape=box, style="rounded,filled", fontname=${FONT}, fontsize=12, fontcolor="#111827", color="#6b7280", margin="0.15,0.08"];
  edge [color="#6b7280", arrowsize=0.6];
`;

/** Papers by kind, where no status has a colour. */
const PAPERS = ['#f1f5f9', '#e0f2fe', '#f3e8ff', '#ffffff', '#fefce8', '#ffffff'];
const UNKNOWN_PAPER = '#f8fafc';

export function dotText(picture: Picture, title: string): string {
  const isColoured = statusesIn(picture).length > 0;
  const boxes = picture.boxes.map((box) => boxText(box, isColoured));
  const arrows = picture.arrows.map(({ from, to }) => `  ${quoted(from)} -> ${quoted(to)};\n`);
  return `${HEAD}  label=<${headText(picture, title)}>;\n${boxes.join('')}${arrows.join('')}}\n`;
}

function boxText(box: Box, isColoured: boolean): string {
  const { title, lines } = labelOf(box);
  const texts = [title, ...lines];
  const urgent = urgentOf(box);
  const [, , fill, line] = urgent ? LOOKS[urgent] : [];
  const paper = fill ?? (isColoured ? UNKNOWN_PAPER : PAPERS[orderOf(box.kind)]);
  const colours = `fillcolor="${paper}"${line === undefined ? '' : `, color="${line}"`}`;
  const more = box.isGroup ? ', peripheries=2' : '';
  return `  ${quoted(box.id)} [label=${quoted(texts.map(plain).join('\n'))}, width=${widthOf(texts)}, ${colours}${more}];\n`;
}

/** In inches, for the widest common typeface: Graphviz guesses, and knows only Latin letters. */
function widthOf([title = '', ...lines]: readonly string[]): string {
  const points = Math.max(displayWidth(title) * 7.6, ...lines.map((line) => displayWidth(line) * 6.2));
  return (points / 72 + 0.3).toFixed(2);
}

/** Title, legend and notes, as a table above the boxes. */
function headText(picture: Picture, title: string): string {
  const statuses = statusesIn(picture).map((status) => {
    const [sign, words, fill, line] = LOOKS[status];
    return `<td bgcolor="${fill}" color="${line}" border="1" align="left" width="${displayWidth(words) * 8 + 30}">${sign} ${words}</td>`;
  });
  const legend = `<table border="0" cellborder="0" cellspacing="6" cellpadding="4"><tr>${statuses.join('')}<td> </td></tr></table>`;
  const rows = [
    `<font point-size="16"><b>${escaped(lineOf(title))}</b></font>`,
    ...(statuses.length ? [legend] : []),
    ...notesOf(picture).map(escaped),
    ' ',
  ];
  const cells = rows.map((row) => `<tr><td align="left">${row}</td></tr>`);
  return `<table border="0" cellborder="0" cellspacing="0" cellpadding="3">${cells.join('')}</table>`;
}

/** As a string of DOT: its line breaks are line breaks of the label. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n')}"`;
}

/** Labels may hold names of characters (`&lt;`). */
function plain(text: string): string {
  return text.replaceAll('&', '&amp;');
}

/** For labels in the form of HTML. */
function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
