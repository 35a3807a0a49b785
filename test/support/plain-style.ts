import { createStyle, type Style } from '../../src/render/style.ts';

/** Text without colours, as in a log. */
export const PLAIN: Style = createStyle({}, 'never');
