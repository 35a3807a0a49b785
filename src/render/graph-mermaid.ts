import type { Box, Picture } from '../views/collapse-graph.ts';
import type { GraphStatus } from '../views/graph-status.ts';
import { labelOf, lineOf, LOOKS, notesOf, statusesIn, urgentOf } from './graph-label.ts';

const NOTE = 'classDef note fill:#ffffff,stroke:#6b7280,color:#111827,stroke-dasharray:4';

/** Ids are numbers of ours, because words such as `end` mean something to Mermaid. */
export function mermaidText(picture: Picture, title: string): string {
  const { boxes, arrows } = picture;
  const ids = new Map(boxes.map(({ id }, index) => [id, `n${index + 1}`]));
  const statuses = statusesIn(picture);
  const notes = notesOf(picture).map(escaped).join('<br/>');
  const legend = statuses.map((status, index) => {
    const [sign, words] = LOOKS[status];
    return `  legend${index + 1}["${sign} ${words}"]:::${classOf(status)}`;
  });
  const lines = [
    ...boxes.map((box) => `${ids.get(box.id)}${boxText(box)}`),
    ...arrows.map(({ from, to }) => `${ids.get(from)} --> ${ids.get(to)}`),
    ...(legend.length ? ['subgraph legend["Legend"]', ...legend, 'end'] : []),
    ...(notes ? [`note1["${notes}"]:::note`, NOTE] : []),
    ...statuses.map((status) => {
      const [, , fill, line] = LOOKS[status];
      return `classDef ${classOf(status)} fill:${fill},stroke:${line},color:#111827`;
    }),
  ];
  const head = `---\ntitle: ${JSON.stringify(lineOf(title))}\n---\n%% campaign graph\nflowchart LR\n`;
  return `${head}${lines.map((line) => `  ${line}\n`).join('')}`;
}

function boxText(box: Box): string {
  const { title, lines } = labelOf(box);
  const label = [title, ...lines].map(escaped).join('<br/>');
  const [open, close] = box.isGroup ? ['[[', ']]'] : ['[', ']'];
  const urgent = urgentOf(box);
  return `${open}"${label}"${close}${urgent ? `:::${classOf(urgent)}` : ''}`;
}

function classOf(status: GraphStatus): string {
  return status.replaceAll('_', '');
}

/**
 * What Mermaid, Markdown and HTML read as anything but text: ends of labels, directives (`%%{`), emphasis, links, lists.
 * In a line with `style` or `classDef`, Mermaid takes the last semicolon away.
 */
const SPECIAL = /["#<>&%*_`~[\]\\|{}@^=]|^[-+]|^\d+(?:\.|\))(?= |$)|\.(?=\S*\.)|:(?=\/\/)|style|classDef/g;

/** Formulas and icons are recognised after that, too. */
const LATE = /\$(?=\$)|\bf[a-z]*:(?=fa-)/g;

function escaped(text: string): string {
  const codes = (found: string) => found.replace(/\D/g, (character) => `#${character.charCodeAt(0)};`);
  return text.replace(LATE, '$& ').replace(SPECIAL, codes);
}
