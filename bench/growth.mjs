/**
 * How something grows with its size: two measures, from a hundredth to a tenth and from a tenth to the whole, each the
 * exponent of size that the cost grows with. 1 is in proportion, 2 is the square; n log n is below 1.15 at these sizes.
 * `costs` gives the three costs of a pair, in this order.
 */
export function growth(label, costs) {
  const exponent = (pair, n) => Math.log10(costs(pair)[n + 1] / costs(pair)[n]);
  return [
    { label: `exponent of ${label}, a hundredth to a tenth`, value: (pair) => exponent(pair, 0) },
    { label: `exponent of ${label}, a tenth to the whole`, value: (pair) => exponent(pair, 1), limit: 1.15 },
  ];
}
