import { lookAtCampaign } from '../app/read-state.ts';
import type { SharedOptions } from '../cli/options.ts';
import { namesOf } from '../cli/output.ts';
import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { draftPlan } from '../plan/draft-plan.ts';
import { finishPlan } from '../plan/make-plan.ts';
import { count } from '../util/count.ts';
import { jsonLine } from '../util/inert-json.ts';
import { lookAtPlace } from '../util/own-file.ts';
import { err, ok, type Result } from '../util/result.ts';
import { writeOwnFile } from '../util/write-own-file.ts';
import { collapseGraph, type Picture } from '../views/collapse-graph.ts';
import { type DrawnGraph, drawGraph } from '../views/draw-graph.ts';
import { drawnState } from '../views/graph-status.ts';

interface GraphOptions extends SharedOptions {
  readonly format?: 'mermaid' | 'dot' | 'svg' | 'json';
  readonly status?: true;
  readonly all?: true;
  readonly out?: string;
}

/** What a file that may be replaced begins with. */
const KIND = {
  head: /^(?:<\?xml[^>]*>\n<!-- campaign graph -->|digraph campaign \{|---\n[^\n]*\n---\n%% campaign graph\n|\{"format_version":"[\d.]+","nodes":)/,
  name: 'picture that `campaign graph` wrote',
};

interface Drawn {
  readonly drawn: DrawnGraph;
  readonly title: string;
  readonly names: object;
}

export async function graph(session: Session<GraphOptions>): CommandEnd {
  const { options, output } = session;
  const place = options.out === undefined ? undefined : lookAtPlace(options.out, KIND);
  if (place && !place.ok) return cannotWrite(options.out, place.error);
  const looked = await (options.status ? drawWithState(session) : drawManifest(session));
  if (!looked.ok) return looked.error;
  const { drawn, title, names } = looked.value;
  const json = { format_version: '1.0', ...drawn, ...names };
  const picture = collapseGraph(drawn, options.all ? 'all' : 'fit');
  if (options.out === undefined && output.mode === 'json') {
    output.json(json);
    return EXIT.ok;
  }
  const text =
    output.mode === 'json' ? ok([...jsonLine(json)].join('')) : await pictureText(picture, title, session);
  if (!text.ok) return text.error;
  if (options.out === undefined) {
    output.result(text.value);
    return EXIT.ok;
  }
  const why = await writeOwnFile(options.out, text.value, KIND);
  if (why !== undefined) return cannotWrite(options.out, why);
  const { boxes, arrows } = picture;
  const size = `${boxes.length} ${boxes.length === 1 ? 'box' : 'boxes'}, ${count(arrows.length, 'arrow')}`;
  if (!output.isQuiet) output.result(`${options.out}: ${size}.\n`);
  return EXIT.ok;
}

async function drawManifest(session: Session<GraphOptions>): Promise<Result<Drawn, Refusal>> {
  const loaded = await loadFor(session, session.args[0], 'nothing');
  if (!loaded.ok) return loaded;
  const { graph, manifest } = loaded.value;
  return ok({ drawn: drawGraph(graph), title: manifest.name, names: namesOf(manifest) });
}

async function drawWithState(session: Session<GraphOptions>): Promise<Result<Drawn, Refusal>> {
  const { args, runtime } = session;
  const loaded = await loadFor(session, args[0]);
  if (!loaded.ok) return loaded;
  const looked = await lookAtCampaign(runtime, loaded.value);
  if (!looked.ok) return looked;
  const { graph, manifest, decisions } = looked.value.campaign;
  const { verdicts } = decisions;
  const { state } = looked.value.open;
  const { outputs } = manifest;
  const draft = draftPlan({ graph, state, outputs, now: runtime.clock.now(), verdicts });
  const plan = finishPlan(draft, 'make');
  const drawn = drawGraph(graph, drawnState(graph, state, { plan, verdicts, matched: draft.matched }));
  return ok({ drawn, title: `${manifest.name} · ${manifest.environment.name}`, names: namesOf(manifest) });
}

/** Above this many boxes and arrows, Graphviz takes minutes, and browsers show nothing usable. */
const MOST_IN_SVG = 10_000;
const TAKES_LONG = 1_000;

async function pictureText(
  picture: Picture,
  title: string,
  { options, output }: Session<GraphOptions>,
): Promise<Result<string, Refusal>> {
  const format = options.format ?? formatOf(options.out);
  if (format === 'mermaid')
    return ok((await import('../render/graph-mermaid.ts')).mermaidText(picture, title));
  const dot = (await import('../render/graph-dot.ts')).dotText(picture, title);
  if (format === 'dot') return ok(dot);
  const size = picture.boxes.length + picture.arrows.length;
  if (size > MOST_IN_SVG) return err(tooLarge(picture));
  if (size > TAKES_LONG && process.stderr.isTTY && !output.isQuiet)
    output.progress(`Drawing ${picture.boxes.length} boxes; this takes some seconds.\n`);
  return ok(await (await import('../render/graph-svg.ts')).svgText(dot));
}

function formatOf(out = ''): 'mermaid' | 'dot' | 'svg' {
  if (/\.svg$/i.test(out)) return 'svg';
  return /\.(?:dot|gv)$/i.test(out) ? 'dot' : 'mermaid';
}

function tooLarge({ boxes, arrows }: Picture): Refusal {
  const detail = `${boxes.length} boxes and ${arrows.length} arrows would take minutes to draw, and no browser shows them well. Leave out --all, which draws them together, or take --format dot, mermaid or json, which have no limit.`;
  return refusal(EXIT.usage, { code: 'too-large', summary: 'Too much for one SVG', detail });
}

function cannotWrite(file = '', why: string): Refusal {
  const detail = `--out ${file}: ${why}.`;
  return refusal(EXIT.cannotWrite, {
    code: 'cannot-write',
    summary: 'The picture cannot be written',
    detail,
  });
}
