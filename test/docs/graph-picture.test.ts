/** `npm run pictures` writes what this test compares. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRuntime } from '../../src/app/create-runtime.ts';
import { loadCampaign } from '../../src/app/load-campaign.ts';
import { NO_VERDICTS } from '../../src/model/verdict.ts';
import { draftPlan } from '../../src/plan/draft-plan.ts';
import { finishPlan } from '../../src/plan/make-plan.ts';
import { dotText } from '../../src/render/graph-dot.ts';
import { svgText } from '../../src/render/graph-svg.ts';
import { collapseGraph } from '../../src/views/collapse-graph.ts';
import { drawGraph } from '../../src/views/draw-graph.ts';
import { drawnState } from '../../src/views/graph-status.ts';
import { applied, planGraph } from '../support/play-plan.ts';
import { emptyState } from '../../src/log/fold.ts';
import { ROOT } from './page-blocks.ts';

it('docs/pictures/graph.svg is what `campaign graph --status` draws of an example in the middle of a run', async () => {
  const loaded = await loadCampaign(createRuntime({ env: {}, emit: () => undefined }), {
    file: join(ROOT, 'examples', 'quickstart', 'campaign.yaml'),
    need: 'environment',
    environment: 'emulator',
    outside: 'refuse',
    target: '',
  });
  if (!loaded.ok) throw new Error(loaded.error.problems[0]?.summary);
  const { graph, manifest } = loaded.value;
  const state = applied(planGraph(graph, emptyState()), emptyState(), {
    'concept/night': 'rejected',
    'media/hero/shelf@1': 'failed',
    'media/story/tote-tour@1': 'open',
  });
  const draft = draftPlan({ graph, state, outputs: manifest.outputs, now: 0 });
  const plan = finishPlan(draft, 'make');
  const drawn = drawGraph(
    graph,
    drawnState(graph, state, { plan, verdicts: NO_VERDICTS, matched: draft.matched }),
  );
  const svg = await svgText(dotText(collapseGraph(drawn, 'fit'), 'quickstart · emulator'));
  const file = join(ROOT, 'docs', 'pictures', 'graph.svg');
  await expect(svg, 'stale: run `npm run pictures`').toMatchFileSnapshot(file);
});
