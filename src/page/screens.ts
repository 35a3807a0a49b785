import type { ComponentType } from 'preact';
import type { ScreenName } from './page-state.ts';
import type { ScreenProps } from './screen.ts';
import { SheetScreen } from './sheet-screen.tsx';

/** The screens as they stand in the navigation. */
export const SCREEN_LIST: readonly {
  readonly name: ScreenName;
  readonly title: string;
  readonly Screen: ComponentType<ScreenProps>;
}[] = [{ name: 'sheet', title: 'Sheet', Screen: SheetScreen }];
