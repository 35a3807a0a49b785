import type { Reason } from '../model/plan.ts';
import type { Locate, SourceRef } from '../model/source.ts';
import { inertText } from '../util/inert-text.ts';
import type { Json } from '../util/json.ts';
import type { Style } from './style.ts';

const SHOWN_CHARACTERS = 60;

export function reasonLines(reasons: readonly Reason[], locate: Locate, style: Style): string[] {
  return reasons.flatMap((reason) => [
    reasonLine(reason, locate, style),
    ...reasonLines(reason.because ?? [], locate, style).map((line) => `  ${line}`),
  ]);
}

function reasonLine(reason: Reason, locate: Locate, style: Style): string {
  const { field, from, to, source, summary, because } = reason;
  if (field === undefined) return style.dim(inertText(summary));
  if (because) return `${inertText(summary)} ${style.dim(`(${field})`)}`;
  const before = from === undefined ? 'added' : shown(from);
  const after = to === undefined ? 'removed' : shown(to);
  return `${inertText(field)}: ${before} → ${after}${style.dim(placeText(source, locate))}`;
}

/** The place in the manifest, appended to a message; empty where the manifest does not ask for it. */
export function placeText(source: SourceRef | undefined, locate: Locate): string {
  const position = source === undefined ? undefined : locate(source);
  return position ? `  ${inertText(position.file)}:${position.line}` : '';
}

function shown(value: Json): string {
  const text =
    typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
      ? `image ${value.slice(0, 16)}`
      : JSON.stringify(value);
  const inert = inertText(text);
  return inert.length > SHOWN_CHARACTERS ? `${inert.slice(0, SHOWN_CHARACTERS - 1)}…` : inert;
}
