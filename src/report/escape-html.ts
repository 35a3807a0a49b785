import { inertText } from '../util/inert-text.ts';
import { jsonText } from '../util/inert-json.ts';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text of unknown origin for an element or an attribute: one line, without anything invisible. */
export function escapeHtml(text: string): string {
  return inertText(text).replace(/[&<>"']/g, (found) => ENTITIES[found] ?? '');
}

/** JSON for a `<script type="application/json">`, which nothing in it can end, and which opens no comment. */
export function jsonForScript(value: unknown): string {
  return jsonText(value).replaceAll('<', '\\u003c');
}
