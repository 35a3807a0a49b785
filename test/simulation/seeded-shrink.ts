import type { Script } from './seeded-script.ts';

/** The smallest script found that still fails: what can be left out is left out, one thing after the other. */
export async function shrink(script: Script, fails: (script: Script) => Promise<boolean>): Promise<Script> {
  for (const smaller of simpler(script)) if (await fails(smaller)) return shrink(smaller, fails);
  return script;
}

function* simpler(script: Script): Generator<Script> {
  for (const index of script.disk.keys()) yield { ...script, disk: script.disk.toSpliced(index, 1) };
  for (const index of script.network.keys()) yield { ...script, network: script.network.toSpliced(index, 1) };
  if (script.spell) {
    const { spell: _, ...without } = script;
    yield without;
  }
  for (const description of Object.keys(script.fates)) {
    const { [description]: _, ...fates } = script.fates;
    yield { ...script, fates };
  }
  for (const [index, chapter] of script.chapters.entries()) {
    yield { ...script, chapters: script.chapters.toSpliced(index, 1) };
    const instead = (one: typeof chapter) => ({ ...script, chapters: script.chapters.with(index, one) });
    for (const edit of chapter.edits.keys())
      yield instead({ ...chapter, edits: chapter.edits.toSpliced(edit, 1) });
    if (chapter.runs > 0) yield instead({ ...chapter, runs: chapter.runs - 1 });
    if (chapter.decides) yield instead({ ...chapter, decides: false });
  }
  const posts = Object.entries(script.words.posts ?? {});
  for (const index of posts.keys())
    yield { ...script, words: { ...script.words, posts: Object.fromEntries(posts.toSpliced(index, 1)) } };
}
