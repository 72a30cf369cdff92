package io.fibry.tool;

/** The result of the command for scripts. The codes are documented, and do not change. */
enum ExitStatus {
    SUCCESS(0),
    FAILURE(1),
    ARGUMENTS(2),
    PROCESS(3),
    USER(4),
    SYSTEM(5),
    MODULE(6);

    private final int code;

    ExitStatus(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
