import { inertText } from '../util/inert-text.ts';
import type { DrawnGraph } from '../views/graph-edges.ts';

export function mermaidText({ nodes, edges }: DrawnGraph): string {
  const ids = new Map(nodes.map(({ address }, index) => [address, `n${index + 1}`]));
  const lines = [
    ...nodes.map(({ address, label }) => `  ${ids.get(address)}["${mermaidLabel(label)}"]`),
    ...edges.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`),
  ];
  return `graph LR\n${lines.join('\n')}\n`;
}

/** A label must not contain its own end, nor markup, because browsers draw these pages. */
function mermaidLabel(text: string): string {
  return inertText(text).replace(/[#"<>&]/g, (character) => `#${character.charCodeAt(0)};`);
}

export function dotText({ nodes, edges }: DrawnGraph): string {
  const quoted = (text: string) => `"${inertText(text).replace(/["\\]/g, '\\$&')}"`;
  const lines = [
    ...nodes.map(({ address, label }) => `  ${quoted(address)} [label=${quoted(label)}];`),
    ...edges.map(({ from, to }) => `  ${quoted(from)} -> ${quoted(to)};`),
  ];
  return `digraph campaign {\n  rankdir=LR;\n  node [shape=box];\n${lines.join('\n')}\n}\n`;
}
