/** What the codes of system and library errors mean to a person, and what to do about them. */

interface CodeWords {
  readonly words?: string;
  /** What to do where a file or a folder is refused. */
  readonly onFile?: string;
  /** What to do where there is no connection. */
  readonly onConnection?: string;
  /** Trying again does not help: a setting of this machine or of the service is wrong. */
  readonly isSetting?: true;
}

const FULL = 'Free the disk, then run again.';
const FORBIDDEN = "Mend the folder's permissions, then run again.";
const IN_THE_WAY = 'Move away what stands in its place, then run again.';
const TOO_MANY = 'Lift the limit of open files (`ulimit -n`), then run again.';

/** Both sides answered in different protocols: the port has no TLS, or the versions of TLS differ. */
const NO_TLS = { onConnection: 'Check scheme and port of the base URL.', isSetting: true } as const;
const NOT_TLS = { ...NO_TLS, words: 'it does not speak TLS: is it an http address?' };

const UNTRUSTED = {
  onConnection:
    'If the authority that signed it is to be trusted, write its certificate (PEM) into a file and name that in NODE_EXTRA_CA_CERTS.',
  isSetting: true,
} as const;
const UNKNOWN_AUTHORITY = {
  ...UNTRUSTED,
  words: 'the certificate was signed by an authority that is not known here',
};
const OUT_OF_TIME = {
  onConnection: 'Is the clock of this machine right? If so, the certificate must be renewed there.',
  isSetting: true,
} as const;

const TABLE: ReadonlyMap<string, CodeWords> = new Map(
  Object.entries({
    EACCES: { words: 'permission denied', onFile: FORBIDDEN },
    EAI_AGAIN: { words: 'the host name cannot be looked up at the moment' },
    ECONNABORTED: { words: 'the connection was cut' },
    ECONNREFUSED: {
      words: 'connection refused',
      onConnection: 'Check host and port of the base URL. Is the service running?',
    },
    ECONNRESET: { words: 'the connection was reset' },
    EDQUOT: { onFile: FULL },
    EEXIST: { onFile: IN_THE_WAY },
    EFBIG: { onFile: 'It may not grow beyond that size: lift the limit, then run again.' },
    EHOSTUNREACH: { words: 'no route to the host' },
    EIO: { onFile: 'The disk may be failing: look at it, then run again.' },
    EISDIR: { onFile: IN_THE_WAY },
    ELOOP: { onFile: IN_THE_WAY },
    EMFILE: { onFile: TOO_MANY },
    ENAMETOOLONG: { onFile: 'Choose a shorter name, then run again.' },
    ENETUNREACH: { words: 'the network cannot be reached' },
    ENFILE: { onFile: TOO_MANY },
    ENOENT: {
      words: 'no such file or folder',
      onFile: 'Bring back what was taken away, then run again.',
    },
    ENOSPC: { words: 'the disk is full', onFile: FULL },
    ENOTDIR: { onFile: IN_THE_WAY },
    ENOTEMPTY: { onFile: IN_THE_WAY },
    ENOTFOUND: {
      words: 'host not found',
      onConnection: 'Check the spelling of the base URL, and the network (VPN?).',
    },
    ENXIO: { onFile: IN_THE_WAY },
    EPERM: { onFile: FORBIDDEN },
    EPIPE: { words: 'the connection was closed' },
    EPROTO: { ...NO_TLS, words: 'no TLS connection could be made' },
    EROFS: { onFile: FORBIDDEN },
    ERR_ABORTED: { words: 'stopped by this run' },
    ERR_FILE_CHANGED: { words: 'the file was changed meanwhile' },
    ERR_FS_EISDIR: { onFile: IN_THE_WAY },
    ERR_HTTP_CONTENT_LENGTH_MISMATCH: { words: 'shorter or longer than announced' },
    ERR_PROXY_AUTHENTICATION: {
      words: 'it wants other credentials',
      onConnection: 'Correct user and password in HTTPS_PROXY (percent-encoded).',
      isSetting: true,
    },
    ERR_SSL_PACKET_LENGTH_TOO_LONG: NOT_TLS,
    ERR_SSL_WRONG_VERSION_NUMBER: NOT_TLS,
    ERR_TOO_SLOW: { words: 'less than 1 kB a second for a minute' },
    ERR_UPGRADE: { words: 'it speaks another protocol than HTTP' },
    ESTALE: { onFile: 'The network drive has lost it: mount it anew, then run again.' },
    ETIMEDOUT: { words: 'timed out' },
    HPE_HEADER_OVERFLOW: { words: 'its headers are too large' },
    Z_BUF_ERROR: { words: 'the compressed body was cut' },
    Z_DATA_ERROR: { words: 'the compressed body is damaged' },

    // Certificates that cannot be trusted. OpenSSL has more codes; these are the ones that occur.
    CERT_CHAIN_TOO_LONG: { words: 'the chain of certificates is too long', isSetting: true },
    CERT_HAS_EXPIRED: { ...OUT_OF_TIME, words: 'the certificate has expired' },
    CERT_NOT_YET_VALID: { ...OUT_OF_TIME, words: 'the certificate is not valid yet: is the clock right?' },
    CERT_REJECTED: { words: 'the certificate was rejected', isSetting: true },
    CERT_REVOKED: { words: 'the certificate was revoked', isSetting: true },
    CERT_SIGNATURE_FAILURE: { words: 'the signature of the certificate is wrong', isSetting: true },
    CERT_UNTRUSTED: { ...UNTRUSTED, words: 'the certificate is not trusted' },
    DEPTH_ZERO_SELF_SIGNED_CERT: { ...UNTRUSTED, words: 'the certificate is self-signed' },
    ERR_TLS_CERT_ALTNAME_INVALID: {
      words: 'the certificate is for another host',
      onConnection: 'Write the host in the base URL as the certificate names it.',
      isSetting: true,
    },
    INVALID_CA: { words: 'the certificate was signed by one that may not sign', isSetting: true },
    INVALID_PURPOSE: { words: 'the certificate is for another purpose', isSetting: true },
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT: { ...UNTRUSTED, words: 'the certificate of the issuer is missing' },
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  } satisfies Record<string, CodeWords>),
);

function known(code: string): CodeWords {
  if (code.startsWith('HPE_')) return TABLE.get(code) ?? { words: 'what came is no HTTP' };
  return TABLE.get(code) ?? (code.startsWith('ERR_SSL_') ? NO_TLS : {});
}

/** The code in words, followed by the code; an unknown code alone. */
export function codeWords(code: string): string {
  const { words } = known(code);
  return words === undefined ? code : `${words}, ${code}`;
}

/** What to do about an error of the file system; undefined where the code says nothing about the disk. */
export function fileAdvice(code = ''): string | undefined {
  return known(code).onFile;
}

export function connectionAdvice(code = ''): string {
  return (
    known(code).onConnection ??
    'Check the network (VPN, firewall, HTTPS_PROXY) and the base URL. Is the service well?'
  );
}

/** True where trying again does not help, because a setting of this machine or of the service is wrong. */
export function isMisconfiguration(code = ''): boolean {
  return known(code).isSetting === true;
}
