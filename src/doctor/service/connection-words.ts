import { EXIT } from '../../model/exit.ts';
import { codeWords, isMisconfiguration } from '../../service/code-words.ts';
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
  return wrong(isMisconfiguration(code) ? EXIT.configuration : EXIT.unavailable, summary, adviceOn(code));
}

function adviceOn(code: string): string {
  if (/ISSUER|SELF_SIGNED|UNTRUSTED|LEAF_SIGNATURE/.test(code)) {
    return 'If the authority that signed it is to be trusted, write its certificate (PEM) into a file and name that in NODE_EXTRA_CA_CERTS.';
  }
  if (/EXPIRED|NOT_YET_VALID/.test(code)) {
    return 'Is the clock of this machine right? If so, the certificate must be renewed there.';
  }
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return 'Write the host in the base URL as the certificate names it.';
  }
  if (code === 'ERR_PROXY_AUTHENTICATION') {
    return 'Correct user and password in HTTPS_PROXY (percent-encoded).';
  }
  if (code === 'ENOTFOUND') return 'Check the spelling of the base URL, and the network (VPN?).';
  if (code === 'ECONNREFUSED') return 'Check host and port of the base URL. Is the service running?';
  if (/^(?:EPROTO|ERR_SSL_)/.test(code)) return 'Check scheme and port of the base URL.';
  return 'Check the network (VPN, firewall, HTTPS_PROXY) and the base URL. Is the service well?';
}
