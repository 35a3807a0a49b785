import { EXIT } from '../model/exit.ts';
import { STDIN } from '../model/manifest-file.ts';
import { refusal, type Refusal } from '../model/problem.ts';
import { err, ok, type Result } from '../util/result.ts';

/** No manifest is longer; what is longer is refused when it is read. */
const MOST_BYTES = 33 * 1024 * 1024;

/** The manifest that `-` names: it can be read only once, and a command may load a campaign several times. */
export async function readStdin(file: string): Promise<Result<Buffer | undefined, Refusal>> {
  if (file !== STDIN) return ok(undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of process.stdin) {
      chunks.push(Buffer.from(chunk as Uint8Array));
      length += chunks.at(-1)?.length ?? 0;
      if (length > MOST_BYTES) break;
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const detail = `\`-\` means a manifest on standard input, and that cannot be read. The system says: ${reason}.`;
    return err(
      refusal(EXIT.invalidManifest, { code: 'cannot-read', summary: 'File cannot be read', detail }),
    );
  }
  return ok(Buffer.concat(chunks));
}
