import { PROXY_AUTHENTICATION } from './tunnel.ts';

/** What system and library codes mean to a person. */
const WORDS = new Map(
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
    ERR_ABORTED: 'stopped by this run',
    ERR_FILE_CHANGED: 'the file was changed meanwhile',
    ERR_HTTP_CONTENT_LENGTH_MISMATCH: 'shorter or longer than announced',
    ERR_PROXY_AUTHENTICATION: 'it wants other credentials',
    ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS: is it an http address?',
    ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS: is it an http address?',
    ERR_TOO_SLOW: 'less than 1 kB a second for a minute',
    ERR_UPGRADE: 'it speaks another protocol than HTTP',
    ETIMEDOUT: 'timed out',
    HPE_HEADER_OVERFLOW: 'its headers are too large',
    Z_BUF_ERROR: 'the compressed body was cut',
    Z_DATA_ERROR: 'the compressed body is damaged',
  }),
);

/** Certificates that cannot be trusted; OpenSSL has more codes, and those that occur are these. */
const CERTIFICATE_WORDS = new Map(
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
    SELF_SIGNED_CERT_IN_CHAIN: 'the certificate was signed by an authority that is not known here',
    UNABLE_TO_GET_ISSUER_CERT: 'the certificate of the issuer is missing',
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the certificate was signed by an authority that is not known here',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the certificate was signed by an authority that is not known here',
  }),
);

/** The code in words, and the code; unknown ones stand alone. */
export function codeWords(code: string): string {
  const words = CERTIFICATE_WORDS.get(code) ?? WORDS.get(code);
  if (words !== undefined) return `${words}, ${code}`;
  return code.startsWith('HPE_') ? `what came is no HTTP, ${code}` : code;
}

/** Both sides spoke, and not the same language: a port without TLS, or versions that do not meet. */
const NO_TLS = /^(?:EPROTO|ERR_SSL_)/;

/** True where trying again does not help, and a setting of this machine or of the service must be mended. */
export function isMisconfiguration(code: string | undefined): boolean {
  if (code === undefined) return false;
  return CERTIFICATE_WORDS.has(code) || NO_TLS.test(code) || code === PROXY_AUTHENTICATION;
}
