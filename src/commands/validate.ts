import type { Campaign } from '../app/campaign.ts';
import { findManifests } from '../app/find-manifests.ts';
import { eachManifest, type TurnEnd } from '../cli/each-manifest.ts';
import { diagnosticJson, namesOf, type Output } from '../cli/output.ts';
import type { SharedOptions } from '../cli/options.ts';
import { load, type Session, sourceFor } from '../cli/session.ts';
import { commandText } from '../model/command-text.ts';
import { NO_ENVIRONMENT } from '../manifest/environment.ts';
import { EMULATOR } from '../model/emulator.ts';
import { EXIT, type ExitCode } from '../model/exit.ts';
import { shownFile } from '../model/manifest-file.ts';
import type { Refusal } from '../model/problem.ts';
import { count } from '../util/count.ts';
import { inertText } from '../util/inert-text.ts';
import { ok } from '../util/result.ts';

interface ValidateOptions extends SharedOptions {
  readonly lint?: true;
  readonly links?: true;
}

export async function validate(session: Session<ValidateOptions>): Promise<ExitCode> {
  const files = await findManifests(session.args);
  if (!files.ok) return invalid(files.error, session.output);
  // The advice about the next command is given for a single campaign only.
  const advice = files.value.length === 1 ? 'told' : 'none';
  const { exit_code } = await eachManifest(files.value, session, {
    take: (file, named) => validateOne(file, named, advice),
    refuse: invalid,
    between: '',
  });
  return exit_code;
}

async function validateOne(
  file: string,
  session: Session<ValidateOptions>,
  advice: 'told' | 'none',
): Promise<Refusal | TurnEnd> {
  const { options, output, runtime } = session;
  const source = await sourceFor(session, file, 'nothing');
  if (!source.ok) return source.error;
  const campaign = await load(runtime, { ...source.value, lint: options.lint });
  if (!campaign.ok) return campaign.error;
  const { graph, manifest, warnings, target } = campaign.value;
  const links = options.links ? await askForImages(runtime, campaign.value) : ok([]);
  if (!links.ok) return links.error;
  if (links.value.length > 0) return { exit: EXIT.invalidManifest, problems: [...warnings, ...links.value] };
  const end = { ...namesOf(manifest), exit: EXIT.ok };
  if (output.mode === 'json') {
    output.about(namesOf(manifest)).json({ valid: true, diagnostics: warnings.map(diagnosticJson) });
    output.hear({ type: 'problems', problems: warnings });
    return end;
  }
  output.problems(warnings);
  if (output.isQuiet) return end;
  const posts = graph.posts.flatMap(({ items }) => items);
  const { products, concepts } = manifest;
  const sum = `${count(products.length, 'product')}, ${count(concepts.length, 'concept')}, ${count(posts.length, 'post')}`;
  output.result(`${output.style.green('✓')} ${inertText(shownFile(file))} is valid: ${sum}.\n`);
  if (advice === 'none') return end;
  const isNone = manifest.environment.name === NO_ENVIRONMENT;
  const next = commandText('plan', target, isNone ? `--env ${EMULATOR}` : '');
  output.result(output.style.dim(`  Next: \`${next}\` shows what apply would do, and sends nothing.\n`));
  return end;
}

/** Its code comes with the client of the network, which nobody else needs here. */
async function askForImages(runtime: Session['runtime'], campaign: Campaign) {
  const { checkLinks } = await import('../app/check-links.ts');
  return checkLinks(runtime, campaign);
}

function invalid({ exit, problems }: Refusal, output: Output): ExitCode {
  if (output.mode === 'json') {
    output.json({ valid: false, diagnostics: problems.map(diagnosticJson) });
    output.hear({ type: 'problems', problems });
  } else output.problems(problems);
  return exit;
}
