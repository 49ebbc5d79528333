// CSV: the same bits back, and files that are written whole or not at all.
// SPDX-License-Identifier: MIT
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "sample.h"
#include "support/cases.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static int make_folder(void) {
    const char* where = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.40s/liaison-csv-XXXXXX", where && *where ? where : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static const char* in_folder(const char* name) {
    static char path[4][128];
    static int next;
    char* out = path[next++ % 4];
    snprintf(out, sizeof path[0], "%s/%s", folder, name);
    return out;
}

static char* read_file(const char* path) {
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    static char text[1 << 20];
    size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    return text;
}

static int files_in_folder(void) {
    DIR* dir = opendir(folder);
    int count = 0;
    for (struct dirent* entry; (entry = readdir(dir));) {
        count += entry->d_name[0] != '.';
    }
    closedir(dir);
    return count;
}

static Sample* with_column(const double* values, size_t rows) {
    const char* names[] = {"plotted"};
    Sample* s = calloc(1, sizeof *s);
    s->model.name = "column";
    sample_column(s, LIA_COLUMN_TIME, "t", "t", NULL, 0, 0);
    sample_column(s, LIA_COLUMN_POSITION, "x", "x", NULL, 0, 0);
    sample_plot(s, NULL, NULL, names, NULL, 1);
    sample_settle(s, rows);
    for (size_t i = 0; i < rows; i++) {
        sample_row(s, i)[0] = (double)i;
        sample_row(s, i)[1] = values ? values[i] : 1.0 / (double)(i + 1);
        sample_row(s, i)[2] = 99;
    }
    sample_end(s);
    return s;
}

static void numbers_come_back_with_the_same_bits(void) {
    const double values[] = {
        0.1, 1.0 / 3,  5e-324,   -0.0, 1.7976931348623157e308, 1e-5, 123456789.123456789,
        NAN, INFINITY, -INFINITY};
    enum { COUNT = sizeof values / sizeof *values };
    Sample* s = with_column(values, COUNT);
    assert_int_equal(lia_output_csv(&s->motion, in_folder("bits.csv")), LIA_OK);
    char* line = strtok(read_file(in_folder("bits.csv")), "\n");
    assert_string_equal(line, "t,x");  // what is plotted only is not in it
    for (int i = 0; i < COUNT; i++) {
        line = strtok(NULL, "\n");
        assert_non_null(line);
        char* rest;
        assert_true(strtod(line, &rest) == i);
        assert_int_equal(*rest, ',');
        double back = strtod(rest + 1, NULL);
        if (isnan(values[i])) {
            assert_string_equal(rest, ",nan");
        } else {
            double wanted = values[i] == 0.0 ? 0.0 : values[i];  // zero has no sign in a table
            assert_memory_equal(&back, &wanted, sizeof back);
        }
    }
    assert_null(strtok(NULL, "\n"));
    sample_free(s);
}

static void names_with_commas_are_quoted(void) {
    Sample* s = with_column(NULL, 1);
    s->columns[1].name = "atan2(y, x) \"angle\"";
    assert_int_equal(lia_output_csv(&s->motion, in_folder("quoted.csv")), LIA_OK);
    assert_string_equal(read_file(in_folder("quoted.csv")),
                        "t,\"atan2(y, x) \"\"angle\"\"\"\n0,1\n");
    sample_free(s);
}

static void a_run_that_ended_between_samples_tells_its_last_state(void) {
    Sample* s = with_column(NULL, 2);
    s->motion.final.values[0] = 1.5;
    s->motion.final.values[1] = 7;
    s->motion.status = LIA_STOPPED;
    assert_int_equal(lia_output_csv(&s->motion, in_folder("last.csv")), LIA_OK);
    assert_string_equal(read_file(in_folder("last.csv")), "t,x\n0,1\n1,0.5\n1.5,7\n");
    s->motion.status = LIA_OK;
    assert_int_equal(lia_output_csv(&s->motion, in_folder("last.csv")), LIA_OK);
    assert_string_equal(read_file(in_folder("last.csv")), "t,x\n0,1\n1,0.5\n");
    sample_free(s);
}

static void a_file_that_cannot_be_finished_leaves_the_old_one(void) {
    Sample* few = with_column(NULL, 1);
    Sample* many = with_column(NULL, 20000);
    const char* path = in_folder("kept.csv");
    assert_int_equal(lia_output_csv(&few->motion, path), LIA_OK);
    int before = files_in_folder();
    struct rlimit old, low;
    getrlimit(RLIMIT_FSIZE, &old);
    low = old;
    low.rlim_cur = 100000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &low);
    LiaStatus status = lia_output_csv(&many->motion, path);
    int error = errno;
    setrlimit(RLIMIT_FSIZE, &old);
    assert_int_equal(status, LIA_FILE);
    assert_int_equal(error, EFBIG);
    assert_int_equal(files_in_folder(), before);
    assert_string_equal(read_file(path), "t,x\n0,1\n");
    sample_free(few);
    sample_free(many);
}

static void what_is_no_ordinary_file_is_not_replaced(void) {
    Sample* s = with_column(NULL, 1);
    struct stat info;
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(lia_output_csv(&s->motion, "/dev/full"), LIA_FILE);
        assert_int_equal(errno, ENOSPC);
        assert_int_equal(stat("/dev/full", &info), 0);
        assert_true(S_ISCHR(info.st_mode));
    }
    assert_int_equal(lia_output_csv(&s->motion, folder), LIA_FILE);
    assert_int_equal(errno, EISDIR);
    assert_int_equal(lia_output_csv(&s->motion, in_folder("no/such/folder.csv")), LIA_FILE);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(lia_output_csv(&s->motion, ""), LIA_FILE);
    sample_free(s);
}

static void a_link_stays_a_link(void) {
    Sample* s = with_column(NULL, 1);
    assert_int_equal(lia_output_csv(&s->motion, in_folder("real.csv")), LIA_OK);
    chmod(in_folder("real.csv"), 0640);
    assert_int_equal(symlink("real.csv", in_folder("link.csv")), 0);
    assert_int_equal(lia_output_csv(&s->motion, in_folder("link.csv")), LIA_OK);
    struct stat info;
    assert_int_equal(lstat(in_folder("link.csv"), &info), 0);
    assert_true(S_ISLNK(info.st_mode));
    assert_int_equal(stat(in_folder("real.csv"), &info), 0);
    assert_int_equal(info.st_mode & 0777, 0640);
    sample_free(s);
}

int main(void) {
    const TestCase tests[] = {
        TEST(numbers_come_back_with_the_same_bits),
        TEST(names_with_commas_are_quoted),
        TEST(a_run_that_ended_between_samples_tells_its_last_state),
        TEST(a_file_that_cannot_be_finished_leaves_the_old_one),
        TEST(what_is_no_ordinary_file_is_not_replaced),
        TEST(a_link_stays_a_link),
    };
    return TESTS_RUN_WITHIN(tests, make_folder, remove_folder);
}
