import { EXIT } from '../../model/exit.ts';
import { codeWords, connectionAdvice, isMisconfiguration } from '../../util/code-words.ts';
import { type Verdict, wrong } from '../check.ts';

/** What it means that no connection could be made to `target`, by the code of the error. */
export function noConnection(code: string, target: string): Verdict {
  return failed(code, `no connection to ${target}: ${codeWords(code)}`);
}

/** What it means that TLS came to nothing with one that connects. */
export function noTls(code: string, target: string): Verdict {
  return failed(code, `no TLS with ${target}: ${codeWords(code)}`);
}

/** What it means that one that connects gives no answer. */
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
