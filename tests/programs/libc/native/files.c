// check: sc=holds states=sc:36
//
// Files: what is written is read again, by bytes, lines, blocks, and formats; positions, ends and errors.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME "/tmp/rmc-files-test.txt"
#define OTHER "/tmp/rmc-files-test-2.txt"

static void show(FILE *file) {
  printf("at %ld, end %d, error %d\n", ftell(file), feof(file) != 0, ferror(file) != 0);
}

static void lines(void) {
  char text[20];
  FILE *file = fopen(NAME, "w");
  fputs("one\ntwo words\n", file);
  fprintf(file, "%d %s %.2f\n", 42, "text", 1.5);
  putc('x', file);
  fputc('y', file);
  printf("%zu\n", fwrite("abcdef", 2, 3, file));
  show(file);
  printf("%d %d\n", fgetc(file), errno == EBADF);
  show(file);
  clearerr(file);
  printf("%d\n", fclose(file));
  file = fopen(NAME, "r");
  while (fgets(text, sizeof text, file))
    printf("[%s]", text);
  show(file);
  rewind(file);
  printf("%s", fgets(text, 3, file));
  printf("%c", getc(file));
  printf("%d", ungetc('N', file));
  show(file);
  printf("%s", fgets(text, 10, file));
  printf("%d %d\n", fputs("no", file), errno == EBADF);
  show(file);
  fclose(file);
}

static void formats(void) {
  int number = 0, count = 0;
  float real = 0;
  char word[10] = "";
  FILE *file = fopen(NAME, "w+");
  fputs("12 -7, word 2.5e1 0x1f +z 9", file);
  fflush(file);
  rewind(file);
  printf("%d", fscanf(file, "%d", &number));
  printf(" %d", number);
  printf(" %d", fscanf(file, "%d,%9s%n", &number, word, &count));
  printf(" %d %s %d", number, word, count);
  show(file);
  printf("%d", fscanf(file, "%f%i", &real, &number));
  printf(" %f %d %d", real, number, fscanf(file, "%d", &number));
  printf(" %d", fscanf(file, "z"));
  show(file);
  printf("%d", fscanf(file, "z%d", &number));
  printf(" %d", number);
  show(file);
  printf("%d", fscanf(file, "%d", &number));
  show(file);
  fclose(file);
}

static void positions(void) {
  char bytes[8];
  fpos_t place;
  FILE *file = fopen(NAME, "wb+x");
  printf("%d %d\n", file == NULL, errno == EEXIST);
  file = fopen(NAME, "w+b");
  fwrite("0123456789", 1, 10, file);
  printf("%d", fseek(file, -4, SEEK_END));
  printf(" %c", fgetc(file));
  fgetpos(file, &place);
  printf(" %d", fseek(file, 2, SEEK_CUR));
  printf(" %zu", fread(bytes, 1, 8, file));
  show(file);
  fsetpos(file, &place);
  printf("%zu", fread(bytes, 3, 2, file));
  show(file);
  printf("%d %d\n", fseek(file, -1, SEEK_SET), errno == EINVAL);
  fseek(file, 12, SEEK_SET);
  fputc('e', file);
  rewind(file);
  while ((*bytes = (char)fgetc(file)), !feof(file))
    printf("%d ", *bytes);
  fclose(file);
  file = fopen(NAME, "a+");
  fputs("end", file);
  show(file);
  fseek(file, 9, SEEK_SET);
  printf("%zu", fread(bytes, 1, 8, file));
  printf(" %.3s\n", bytes + 4);
  fclose(file);
}

static void names(void) {
  printf("%d", rename(NAME, OTHER));
  printf(" %d", fopen(NAME, "r") == NULL && errno == ENOENT);
  printf(" %d %d", rename(NAME, OTHER), errno == ENOENT);
  FILE *file = fopen(OTHER, "r");
  printf(" %d", remove(OTHER));
  printf(" %c", fgetc(file));
  fclose(file);
  printf(" %d %d\n", remove(OTHER), errno == ENOENT);
  printf("%d %d\n", fopen(OTHER, "q") == NULL, errno == EINVAL);
}

static void long_lines(void) {
  char *line = NULL;
  size_t room = 0;
  FILE *file = tmpfile();
  for (int i = 0; i < 150; i++)
    fputc('a' + i % 26, file);
  fputs("\nshort\n\nlast", file);
  rewind(file);
  ssize_t length;
  while ((length = getline(&line, &room, file)) >= 0)
    printf("%zd %zu %.3s ", length, strlen(line), line);
  show(file);
  free(line);
  fputs("and stdout\n", stdout);
  fclose(file);
}

int main(void) {
  lines();
  formats();
  positions();
  names();
  long_lines();
  return 0;
}
