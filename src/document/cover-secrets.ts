/** Names of keys whose values do not belong into a file that is kept in git. */
const SURE_NAME = 'api[_-]?key|api[_-]?token|access[_-]?token|client[_-]?secret|password';
const SECRET_NAME = `${SURE_NAME}|token|secret`;

const SURE_KEY = new RegExp(`^(?:${SURE_NAME})$`, 'i');
const SECRET_KEY = new RegExp(`^(?:${SECRET_NAME})$`, 'i');

/** Any name with a sure one in it (`apiKeyEnv`, `visuals_api_key`), or one that is a secret's alone. */
const SECRET_LIKE = `[\\w-]*(?:${SURE_NAME})[\\w-]*|(?:token|secret)(?:_env)?`;

/** From the key on to the end of the line: where a flow map goes on behind it, rather too much is covered. */
const SECRET_VALUE = new RegExp(`((?:^|[^\\w-])(?:${SECRET_LIKE})["']?\\s*:\\s*)(.+)$`, 'i');

/** What an address has in its query under the name of a secret or of a signature. */
const SECRET_IN_QUERY = /([?&][\w.-]*(?:key|token|secret|sig|pass|auth|credential)[\w.-]*=)([^&\s"'#]+)/gi;

/** User name and password of an address. */
const CREDENTIALS = /(:\/\/)([^/\s@]+)(?=@)/g;

/** Whether a key is one for a secret even where any key may stand, such as a variable called `secret`. */
export function isSurelySecret(key: string): boolean {
  return SURE_KEY.test(key);
}

/** Whether a key that has no meaning of its own is one for a secret. */
export function isSecretKey(key: string): boolean {
  return SECRET_KEY.test(key);
}

/** A line of a file with asterisks for whatever may be a secret; every column stays. */
export function coverSecrets(line: string): string {
  const cover = (_: string, before: string, secret: string) => before + '*'.repeat(secret.length);
  return line.replace(SECRET_VALUE, cover).replace(CREDENTIALS, cover).replace(SECRET_IN_QUERY, cover);
}
