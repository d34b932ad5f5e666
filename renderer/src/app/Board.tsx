import { lazy, Suspense } from 'react';

const BoardPage = lazy(async () => {
  const { BoardPage: component } = await import('../features/board/BoardPage.tsx');
  return { default: component };
});

/** The wall board, in place of the window. It has the session of its link, so it neither needs nor ends that of a person. */
export function Board() {
  return (
    <Suspense>
      <BoardPage />
    </Suspense>
  );
}
