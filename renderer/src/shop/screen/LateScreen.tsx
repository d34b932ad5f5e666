import { type ComponentProps, lazy, Suspense } from 'react';
import styles from './ScreenCanvas.module.css';

const ScreenCanvas = lazy(async () => {
  const { ScreenCanvas: component } = await import('./ScreenCanvas.tsx');
  return { default: component };
});

/**
 * A screen on a page that can be used before the screen is drawn. Shows a blank space until the code and glyphs (100
 * kB) are loaded.
 */
export function LateScreen(props: ComponentProps<typeof ScreenCanvas>) {
  return (
    <Suspense fallback={<div className={styles.place} data-scale={props.scale} />}>
      <ScreenCanvas {...props} />
    </Suspense>
  );
}
