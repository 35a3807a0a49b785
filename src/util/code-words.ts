/** What the codes of system and library errors mean to a person, and what to do about them. */

const WORDS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    EACCES: 'permission denied',
    EAI_AGAIN: 'the host name cannot be looked up at the moment',
    ECONNABORTED: 'the connection was cut',
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'the connection was reset',
    EHOSTUNREACH: 'no route to the host',
    ENETUNREACH: 'the network cannot be reached',
    ENOENT: 'no such file or folder',
    ENOSPC: 'the disk is full',
    ENOTFOUND: 'host not found',
    EPIPE: 'the connection was closed',
    EPROTO: 'no TLS connection could be made',
    EROFS: 'it can only be read',
    ERR_ABORTED: 'stopped by this run',
    ERR_FILE_CHANGED: 'the file was changed meanwhile',
    ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'shorter or longer than announced',
    ERR_PROXY_AUTHENTICATION: 'it wants other credentials',
    ERR_PROXY_NO_HTTP: 'it does not speak HTTP: is it an https address?',
    ERR_PROXY_REFUSED: 'it does not lead there',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: is it an http address?',
    ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'it wants a client certificate',
    ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is it an http address?',
    ERR_TOO_SLOW: 'less than 1 kB a second for a minute',
    ERR_UPGRADE: 'it speaks another protocol than HTTP',
    ETIMEDOUT: 'timed out',
    HPE_HEADER_OVERFLOW: 'its headers are too large',
    Z_BUF_ERROR: 'the compressed body was cut',
    Z_DATA_ERROR: 'the compressed body is damaged',
  }),
);

const UNKNOWN_AUTHORITY = 'the certificate was signed by an authority that is not known here';

/** Certificates that cannot be trusted. OpenSSL has more codes; these are the ones that occur. */
const CERTIFICATES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CERT_CHAIN_TOO_LONG: 'the chain of certificates is too long',
    CERT_HAS_EXPIRED: 'the certificate has expired',
    CERT_NOT_YET_VALID: 'the certificate is not valid yet: is the clock right?',
    CERT_REJECTED: 'the certificate was rejected',
    CERT_REVOKED: 'the certificate was revoked',
    CERT_SIGNATURE_FAILURE: 'the signature of the certificate is wrong',
    CERT_UNTRUSTED: 'the certificate is not trusted',
    DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
    ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
    INVALID_CA: 'the certificate was signed by one that may not sign',
    INVALID_PURPOSE: 'the certificate is for another purpose',
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT: 'the certificate of the issuer is missing',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  }),
);

type Advice = readonly (readonly [codes: RegExp, toDo: string])[];

const ON_FILE: Advice = [
  [/^(?:EACCES|EPERM)$/, "Mend the folder's permissions, then run again."],
  [/^EROFS$/, 'Mount the disk so that it can be written to, then run again.'],
  [/^(?:EDQUOT|ENOSPC)$/, 'Free the disk, then run again.'],
  [
    /^(?:EEXIST|EISDIR|ELOOP|ENOTDIR|ENOTEMPTY|ENXIO|ERR_FS_EISDIR)$/,
    'Move away what stands in its place, then run again.',
  ],
  [/^EFBIG$/, 'It may not grow beyond that size: lift the limit, then run again.'],
  [/^EIO$/, 'The disk may be failing: look at it, then run again.'],
  [/^(?:EMFILE|ENFILE)$/, 'Lift the limit of open files (`ulimit -n`), then run again.'],
  [/^ENAMETOOLONG$/, 'Choose a shorter name, then run again.'],
  [/^ENOENT$/, 'Bring back what was taken away, then run again.'],
  [/^ESTALE$/, 'The network drive has lost it: mount it anew, then run again.'],
];

const ON_CONNECTION: Advice = [
  [/^ECONNREFUSED$/, 'Check host and port of {url}. Is {server} running?'],
  [/^ENOTFOUND$/, 'Check the spelling of {url}, and the network (VPN?).'],
  [
    /_CERTIFICATE_REQUIRED$/,
    'Name the files of a client certificate in the manifest: service.tls (cert, key).',
  ],
  // Both sides answered in different protocols: the port has no TLS, or the versions of TLS differ.
  [/^(?:EPROTO$|ERR_SSL_)/, 'Check scheme and port of {url}.'],
  [
    /^ERR_PROXY_REFUSED$/,
    'Let the proxy allow the host and port of the base URL, or name another in HTTPS_PROXY; for a host that is reached directly, use NO_PROXY.',
  ],
  [/^ERR_PROXY_NO_HTTP$/, 'Check scheme and port in HTTPS_PROXY.'],
  [/^ERR_PROXY_AUTHENTICATION$/, 'Correct user and password in HTTPS_PROXY (percent-encoded).'],
  [
    /^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/,
    'Is the clock of this machine right? If so, the certificate must be renewed there.',
  ],
  [/^ERR_TLS_CERT_ALTNAME_INVALID$/, 'Write the host in {url} as the certificate names it.'],
  [
    /^(?:CERT_UNTRUSTED$|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET_ISSUER_|VERIFY_LEAF_))/,
    'If the authority that signed it is to be trusted, write its certificate (PEM) into a file and name that in NODE_EXTRA_CA_CERTS.',
  ],
];

/** The code in words, followed by the code; an unknown code alone. */
export function codeWords(code: string): string {
  const words = WORDS.get(code) ?? CERTIFICATES.get(code);
  if (words === undefined) return code.startsWith('HPE_') ? `what came is no HTTP, ${code}` : code;
  return `${words}, ${code}`;
}

/** What to do about an error of the file system; undefined where the code says nothing about the disk. */
export function fileAdvice(code = ''): string | undefined {
  return ON_FILE.find(([codes]) => codes.test(code))?.[1];
}

/** `to`: with whom the connection could not be made. */
export function connectionAdvice(code = '', to: 'service' | 'proxy' = 'service'): string {
  const known = ON_CONNECTION.find(([codes]) => codes.test(code))?.[1];
  const advice = known ?? 'Check the network (VPN, firewall, HTTPS_PROXY) and {url}. Is {server} well?';
  const url = to === 'service' ? 'the base URL' : 'the address in HTTPS_PROXY';
  return advice.replace('{url}', url).replace('{server}', `the ${to}`);
}

/** True where a server ended the handshake because of the certificate of its client, or because that has none. */
export function isClientRefused(code = ''): boolean {
  return /^ERR_SSL_.*_ALERT_(?:\w*CERTIFICATE\w*|UNKNOWN_CA|ACCESS_DENIED)$/.test(code);
}

/** True where trying again does not help, because a setting of this machine or of the service is wrong. */
export function isMisconfiguration(code = ''): boolean {
  return (
    CERTIFICATES.has(code) || /^(?:EPROTO$|ERR_PROXY_(?:AUTHENTICATION|NO_HTTP|REFUSED)$|ERR_SSL_)/.test(code)
  );
}
