/** Money in whole millionths of the currency, because sums of whole numbers are exact. */
export type Money = bigint;

const MILLION = 1e6;

/** The largest amount that a manifest may write: with six decimals it is still exact as a number. */
export const LARGEST_AMOUNT = 1e9;

/** An amount as it is written: `1.4`. */
export function moneyOf(amount: number): Money {
  return BigInt(Math.round(amount * MILLION));
}

/** Whether an amount has at most six decimals. */
export function isExact(amount: number): boolean {
  return Math.round(amount * MILLION) / MILLION === amount;
}

/** The nearest number, which JSON writes as the shortest decimal. */
export function amountOf(money: Money): number {
  return Number(money) / MILLION;
}
