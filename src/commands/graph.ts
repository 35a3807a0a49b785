import { type CommandEnd, loadFor, type Session } from '../cli/session.ts';
import { EXIT } from '../model/exit.ts';
import type { SharedOptions } from '../cli/options.ts';
import { dotText, mermaidText } from '../render/graph-text.ts';
import { drawGraph } from '../views/graph-edges.ts';

type GraphOptions = SharedOptions & { readonly format: 'mermaid' | 'dot' };

export async function graph(session: Session<GraphOptions>): CommandEnd {
  const { args, options, output } = session;
  const campaign = await loadFor(session, args[0], 'nothing');
  if (!campaign.ok) return campaign.error;
  const drawn = drawGraph(campaign.value.graph);
  output.answer(drawn, options.format === 'dot' ? dotText(drawn) : mermaidText(drawn));
  return EXIT.ok;
}
