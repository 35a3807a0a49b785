import { EXIT } from '../../model/exit.ts';
import { codeWords, connectionAdvice, isMisconfiguration } from '../../util/code-words.ts';
import { type Verdict, wrong } from '../check.ts';

/** The verdict when no connection to `target` could be made, by the code of the error. */
export function noConnection(code: string, target: string): Verdict {
  return failed(code, `no connection to ${target}: ${codeWords(code)}`);
}

/** The verdict when `target` connects, but TLS fails. */
export function noTls(code: string, target: string): Verdict {
  return failed(code, `no TLS with ${target}: ${codeWords(code)}`);
}

/** The verdict when `target` connects, but gives no answer. */
export function noAnswer(code: string | undefined, target: string): Verdict {
  return failed(code ?? '', `no answer from ${target}${code === undefined ? '' : `: ${codeWords(code)}`}`);
}

function failed(code: string, summary: string): Verdict {
  return wrong(
    isMisconfiguration(code) ? EXIT.configuration : EXIT.unavailable,
    summary,
    connectionAdvice(code),
  );
}
