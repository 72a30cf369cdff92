import java.io.File;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.api.internal.project.ProjectInternal;
import org.gradle.api.tasks.JavaExec;
import org.gradle.testfixtures.ProjectBuilder;
import org.gradle.util.GradleVersion;

/** Evaluates the build file of a folder with the Gradle on the class path: Evaluate FOLDER HOME NAME=VALUE .. */
class Evaluate {

    public static void main(String[] args) {
        try {
            evaluate(args);
        } catch (RuntimeException e) {
            e.printStackTrace();
            System.exit(1);
        }
        System.exit(0); // Gradle keeps threads, also after a failure
    }

    private static void evaluate(String[] args) {
        Project project = ProjectBuilder.builder()
                .withName("shop")
                .withProjectDir(new File(args[0]))
                .withGradleUserHomeDir(new File(args[1]))
                .build();
        for (int i = 2; i < args.length; i++) {
            String[] property = args[i].split("=", 2);
            project.getExtensions().getExtraProperties().set(property[0], property[1]);
        }
        ((ProjectInternal) project).evaluate();
        JavaExec run = (JavaExec) project.getTasks().getByName("run");
        System.out.println(GradleVersion.current());
        System.out.println(run.getMainClass().get());
        System.out.println(project.getConfigurations().getByName("runtimeClasspath").resolve().stream()
                .map(File::getPath)
                .collect(Collectors.joining(File.pathSeparator)));
    }
}
