import { attempt } from './attempt.ts';

/** URLs of databases, as far as everything has to know them that says which state is meant. */
const DATABASE = /^postgres(?:ql)?:\/\//i;

export function isDatabaseUrl(text: string): boolean {
  return DATABASE.test(text);
}

/** As it may be shown: without password. Any other text stays as it is. */
export function withoutPassword(text: string): string {
  const [, scheme, login = '', rest = ''] = /^(postgres(?:ql)?:\/\/)(?:([^]*)@)?([^@]*)$/i.exec(text) ?? [];
  if (scheme === undefined) return text;
  const [user = ''] = login.split(/[:/?#]/);
  return `${scheme}${user && `${user}@`}${rest.replace(/[?&]password=[^&]*/gi, '')}`;
}

/** The password in a URL, or a text that ends with one; empty without one. */
export function passwordIn(text: string): string {
  const [, password = ''] = /postgres(?:ql)?:\/\/[^:/@?#]*:([^]+)@/i.exec(text) ?? [];
  return attempt(() => decodeURIComponent(password)) ?? password;
}

/** Every URL of a database in a text, as it may be shown. */
export function withoutPasswords(text: string): string {
  return text.replace(/postgres(?:ql)?:\/\/[^\s"'`<>]+/gi, withoutPassword);
}
