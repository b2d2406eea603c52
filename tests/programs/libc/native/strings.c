// check: tso=holds pso=holds states=tso:24,pso:24
// check: --cflags=-O2 tso=holds states=tso:12
// check: --cflags=-O2 --cflags=-D_FORTIFY_SOURCE=2 tso=holds states=tso:12
//
// string.h and strings.h.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int sign(int order) {
  return (order > 0) - (order < 0);
}

static void show(const char *what, const void *found, const char *base) {
  if (found)
    printf("%s: %td\n", what, (const char *)found - base);
  else
    printf("%s: none\n", what);
}

static void copying(void) {
  char to[32];
  memset(to, 'x', sizeof to);
  printf("%s %zu\n", strcpy(to, "hello"), strlen(to));
  printf("%td\n", stpcpy(to, "stop") - to);
  memset(to, 'x', sizeof to);
  strncpy(to, "ab", 6);
  printf("%d%d%d%d\n", to[1], to[2], to[5], to[6]);
  strncpy(to, "abcdefgh", 4);
  printf("%.8s\n", to);
  printf("%td %td\n", stpncpy(to, "ab", 5) - to, stpncpy(to, "abcdef", 3) - to);
  strcpy(to, "one");
  printf("%s\n", strcat(to, " two"));
  printf("%s\n", strncat(to, " three and more", 6));
  show("memccpy", memccpy(to, "abcdef", 'c', 6), to);
  show("memccpy", memccpy(to, "abcdef", 'z', 6), to);
  show("mempcpy", mempcpy(to, "12345", 5), to);
  memmove(to + 2, to, 5);
  printf("%.7s\n", to);
  bcopy("moved", to, 6);
  puts(to);
  bzero(to, 2);
  printf("%d%d%c\n", to[0], to[1], to[2]);
  explicit_bzero(to, 3);
  printf("%d\n", to[2]);
}

static void searching(void) {
  const char *text = "a banana and an apple";
  show("strchr", strchr(text, 'n'), text);
  show("strchr", strchr(text, 'z'), text);
  show("strchr", strchr(text, 0), text);
  show("strrchr", strrchr(text, 'n'), text);
  show("strrchr", strrchr(text, 'z'), text);
  show("index", index(text, 'p'), text);
  show("rindex", rindex(text, 'a'), text);
  show("strchrnul", strchrnul(text, 'z'), text);
  show("strstr", strstr(text, "an a"), text);
  show("strstr", strstr(text, ""), text);
  show("strstr", strstr(text, "pear"), text);
  show("strcasestr", strcasestr(text, "AND"), text);
  show("strpbrk", strpbrk(text, "xyzp"), text);
  show("strpbrk", strpbrk(text, "xyz"), text);
  show("memchr", memchr(text, 'd', 21), text);
  show("memrchr", memrchr(text, 'b', 21), text);
  show("rawmemchr", rawmemchr(text, 'p'), text);
  show("memmem", memmem(text, 21, "nan", 3), text);
  show("memmem", memmem(text, 21, "nab", 3), text);
  printf("%zu %zu %zu\n", strspn(text, "abn "), strcspn(text, "dp"), strcspn(text, "z"));
  printf("%zu %zu\n", strnlen(text, 5), strnlen(text, 50));
}

static void comparing(void) {
  const char *texts[] = {"", "a", "A", "ab", "abc", "b", "\xe9"};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++)
      printf("%d%d%d%d%d%d ", sign(strcmp(texts[i], texts[j])), sign(strncmp(texts[i], texts[j], 2)),
             sign(strcasecmp(texts[i], texts[j])), sign(strncasecmp(texts[i], texts[j], 1)),
             sign(strcoll(texts[i], texts[j])), sign(memcmp(texts[i], texts[j], 1)));
  char to[8];
  printf("\n%zu %s\n", strxfrm(to, "trans", sizeof to), to);
  printf("%d %d %d\n", ffs(24), ffsl(0), ffsll(1LL << 40));
}

static void splitting(void) {
  char text[] = ",one,,two three,", *rest;
  for (char *part = strtok(text, ", "); part; part = strtok(NULL, ", "))
    printf("<%s>", part);
  char again[] = "a:b::c";
  for (char *part = strtok_r(again, ":", &rest); part; part = strtok_r(NULL, ":", &rest))
    printf("<%s>", part);
  char more[] = "a:b::c";
  rest = more;
  for (char *part = strsep(&rest, ":"); part; part = strsep(&rest, ":"))
    printf("<%s>", part);
  char *copy = strdup("copy"), *shorter = strndup("shorter", 5);
  printf("%s %s\n", copy, shorter);
  free(copy);
  free(shorter);
}

int main(void) {
  copying();
  searching();
  comparing();
  splitting();
  return 0;
}
