import { EXIT, type ExitCode } from '../model/exit.ts';
import { drawGraph } from '../views/graph-edges.ts';
import { dotText, mermaidText } from '../render/graph-text.ts';
import { loadCampaign } from '../app/load-campaign.ts';
import type { SharedOptions } from '../cli/options.ts';
import { createOutput, refuse } from '../cli/output.ts';

/** `campaign graph`: what depends on what, as Mermaid or DOT. */
export async function graph(
  file: string,
  options: SharedOptions & { format: 'mermaid' | 'dot' },
): Promise<ExitCode> {
  const output = createOutput(options);
  const campaign = await loadCampaign(file, options, { need: 'nothing', output });
  if (!campaign.ok) return refuse(campaign.error, output);
  const drawn = drawGraph(campaign.value.graph);
  if (output.mode === 'json') output.json(drawn);
  else output.result(options.format === 'dot' ? dotText(drawn) : mermaidText(drawn));
  return EXIT.ok;
}
